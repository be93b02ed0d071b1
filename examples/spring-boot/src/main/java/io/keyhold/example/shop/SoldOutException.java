package io.keyhold.example.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Thrown when nothing is left. */
@ResponseStatus(HttpStatus.CONFLICT)
public class SoldOutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SoldOutException(String item) {
        super(item + " is sold out");
    }
}
