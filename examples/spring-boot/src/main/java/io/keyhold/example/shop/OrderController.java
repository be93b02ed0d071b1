package io.keyhold.example.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders by HTTP. */
@RestController
public class OrderController {

    private final OrderService orders;

    /** Creates the controller. */
    public OrderController(OrderService orders) {
        this.orders = orders;
    }

    /** Orders one, and returns how many are left. */
    @PostMapping("/orders/{item}")
    public int order(@PathVariable String item) {
        return orders.order(item);
    }

    /** Returns how many are left. */
    @GetMapping("/stock/{item}")
    public int stock(@PathVariable String item) {
        return orders.stock(item);
    }
}
