package io.keyhold.example.shop;

import io.keyhold.spring.Leases;
import io.keyhold.spring.Locked;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes items out of the stock. */
@Service
public class OrderService {

    private final JdbcClient database;

    /** Creates the service. */
    public OrderService(JdbcClient database) {
        this.database = database;
    }

    /**
     * Orders an item. The lock is acquired before the transaction begins and released after it has committed, so no other instance reads the stock
     * between.
     *
     * @return how many are left
     */
    @Locked(key = "stock:#{#item}", name = "orders", maxWait = "${shop.max-wait:10s}")
    @Transactional
    public int order(String item) {
        int left = stock(item);
        if (left == 0) {
            throw new SoldOutException(item);
        }
        database.sql("update stock set amount = ? where item = ?")
                .params(left - 1, item)
                .update();
        database.sql("insert into orders (item, fencing_token) values (?, ?)")
                .params(item, Leases.require("stock:" + item).fencingToken())
                .update();
        return left - 1;
    }

    /** Returns how many are left. */
    public int stock(String item) {
        return database.sql("select amount from stock where item = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }
}
