package io.keyhold.example.shop;

import io.keyhold.spring.Locked;
import io.keyhold.spring.OnBusy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A scheduled job. Every instance has the schedule; one of them does the work each time, and the others skip it. */
@Component
public class SalesReport {

    private static final Logger LOG = LoggerFactory.getLogger(SalesReport.class);

    private final JdbcClient database;
    private final String instance;

    /** Creates the job. */
    public SalesReport(JdbcClient database, @Value("${spring.application.name}") String instance) {
        this.database = database;
        this.instance = instance;
    }

    /** Writes the next report. {@code atLeast} keeps the key taken, so that an instance with a late clock does not run it again. */
    @Scheduled(fixedRateString = "${shop.report-every:5s}")
    @Locked(key = "sales-report", name = "sales-report", onBusy = OnBusy.SKIP, atLeast = "${shop.report-at-least:4s}")
    public void write() {
        long number = number() + 1;
        long sold =
                database.sql("select count(*) from orders").query(Long.class).single();
        database.sql("insert into report values (?, ?, ?)")
                .params(number, instance, sold)
                .update();
        LOG.info("report {} by {}: {} sold", number, instance, sold);
    }

    private long number() {
        return database.sql("select coalesce(max(number), 0) from report")
                .query(Long.class)
                .single();
    }
}
