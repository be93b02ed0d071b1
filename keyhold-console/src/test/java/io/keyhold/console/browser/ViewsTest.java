package io.keyhold.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the views show of real clients on a real server. */
class ViewsTest extends PageTest {

    private static final List<String> VIEWS = List.of("#/locks", "#/key?key=invoice%3A42", "#/contention", "#/doctor");

    @BeforeAll
    void start() throws InterruptedException {
        scene.hold("billing", "invoice:42");
        scene.await("checkout", "invoice:42");
        scene.await("reports", "invoice:42");
        scene.hold("checkout-eu", "order:eu:7");
        scene.await("refunds", "order:eu:7");
        scene.hold("checkout-us", "order:us:8");
        scene.hold("exporter", "report:daily");
        scene.client("trainer-1").semaphore("gpu", 4).acquire(2);
        scene.client("trainer-2").semaphore("gpu", 4).acquire(1);
        scene.client("catalog-web").readWriteLock("catalog").readLock().acquire();
        scene.client("catalog-api").readWriteLock("catalog").readLock().acquire();
        console.signIn(browser);
    }

    @BeforeEach
    void plain() {
        browser.desktop();
        browser.system("light");
        open("#/locks");
        browser.await(".locks tbody tr");
    }

    @Test
    void locksShowHolderWaitersAndLease() {
        browser.awaitText(".locks tr:has([title='invoice:42']) .c-wait", "2");
        String row = browser.text(".locks tr:has([title='invoice:42'])");
        assertThat(row).contains("billing", "pid " + ProcessHandle.current().pid());
        browser.await(".locks tr:has([title='invoice:42']) [role=meter]");
        assertThat(browser.text(".locks tr:has([title='gpu'])")).contains("semaphore 3/4", "+ 1 more");
        assertThat(browser.text(".locks tr:has([title='catalog'])")).contains("read/write");
        browser.screenshot("locks");
    }

    @Test
    void locksAreSortedByUrgencyOrByKey() {
        browser.await(
                "invoice:42 with two waiters first, then order:eu:7 with one",
                page -> page.text(".locks tbody .key").startsWith("invoice:42\norder:eu:7\n"));
        browser.click("thead [title='Sort by key']");
        browser.await(
                "the keys in order",
                page -> page.text(".locks tbody .key")
                        .equals("catalog\ngpu\ninvoice:42\norder:eu:7\norder:us:8\nreport:daily"));
        assertThat(browser.address()).endsWith("#/locks?sort=key");
    }

    @Test
    void filterIsInTheAddressAndBackLeavesIt() {
        browser.type("#filter", "order");
        browser.await("two keys", page -> page.count(".locks tbody tr") == 2);
        browser.await("the filter in the address", page -> page.address().endsWith("#/locks?filter=order"));
        browser.reload();
        browser.await("two keys after a reload", page -> page.count(".locks tbody tr") == 2);
        browser.back();
        browser.await("all keys", page -> page.count(".locks tbody tr") == 6);
        assertThat(browser.find("#filter").orElseThrow().getDomProperty("value"))
                .isEmpty();
        browser.type("#filter", "trainer-1");
        browser.await(
                "the key of this client", page -> page.text(".locks tbody .key").equals("gpu"));
        browser.type("#filter", "nothing");
        browser.awaitText("#no-match", "No key matches");
    }

    @Test
    void treeNarrowsTheKeysByPrefix() {
        browser.click(".tree [title='order:']");
        browser.await(
                "the keys below it", page -> page.text(".locks tbody .key").equals("order:eu:7\norder:us:8"));
        browser.click(".tree [title='order:eu:']");
        browser.await(
                "the key below that", page -> page.text(".locks tbody .key").equals("order:eu:7"));
        browser.press("u");
        browser.await("one level up", page -> page.address().endsWith("#/locks?prefix=order%3A"));
        browser.await("both again", page -> page.count(".locks tbody tr") == 2);
    }

    @Test
    void keyShowsHolderQueueAndHandOver() throws Exception {
        Lease first = scene.hold("first", "handed:1");
        CompletableFuture<Lease> second = scene.await("second", "handed:1");
        open("#/key?key=handed%3A1");
        browser.awaitText("#holders", "first");
        browser.awaitText("#queue", "second");
        browser.awaitText("#timeline", "held now");
        first.close();
        second.get(1, TimeUnit.MINUTES);
        browser.awaitText("#holders", "second");
        browser.awaitText("#queue-empty", "No client waits");
        browser.await("both in the timeline", page -> page.count("#timeline tbody tr") == 2);
        assertThat(browser.text("#timeline tbody tr:last-child"))
                .contains("first")
                .doesNotContain("held now");
        second.get().close();
        browser.awaitText("#state", "Free");
    }

    @Test
    void keyOfNoLockIsFree() {
        open("#/key?key=unused");
        browser.awaitText("#state", "Free");
    }

    @Test
    void contentionShowsWhoWaited() {
        open("#/contention");
        browser.await("#heat [title='invoice:42']");
        browser.await(".uplot canvas");
        browser.awaitText("#wait-percentiles", "Wait");
        Object drawn = browser.script(
                "const c = document.querySelector('#heat canvas'); return [...c.getContext('2d').getImageData(0, 0, c.width, 1).data].some(v => v > 0)");
        assertThat(drawn).isEqualTo(true);
        browser.screenshot("contention");
    }

    @Test
    void doctorShowsFindingsAndServers() {
        open("#/doctor");
        browser.await(".finding");
        browser.awaitText("#topology", "127.0.0.1:" + scene.redis().port());
        browser.awaitText("#topology .node.ok", "master");
        browser.screenshot("doctor");
    }

    @Test
    void dangerIsShownOnEveryView() {
        try (Scene dangerous = Scene.start(
                EmbeddedRedis.builder().option("maxmemory", "100mb").option("maxmemory-policy", "allkeys-lru"))) {
            Scene.Console other = dangerous.console();
            other.signIn(browser);
            for (String view : VIEWS) {
                browser.open(other.at(view));
                browser.awaitText("#dangers", "allkeys-lru");
            }
            browser.awaitText(".finding.danger", "Cure");
            browser.open("about:blank");
        }
    }

    @Test
    void emptyServerSaysHowToSeeALock() {
        try (Scene empty = Scene.start()) {
            empty.console().signIn(browser);
            browser.awaitText("#empty", "No lock is held");
            browser.screenshot("empty");
            browser.open("about:blank");
        }
    }

    @Test
    void pausedPageDoesNotChange() {
        browser.click("#pause");
        browser.await("#status.paused");
        try (Lease late = scene.hold("late", "late:1")) {
            browser.script("window.ticks = 0;"
                    + " new EventSource('api/stream').addEventListener('tick', () => window.ticks++); return true");
            browser.await("a few ticks", page -> (Long) page.script("return window.ticks") > 3);
            assertThat(browser.find(".locks [title='late:1']")).isEmpty();
            browser.click("#pause");
            browser.await(".locks [title='late:1']");
            assertThat(late.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void textCanBeReadInBothThemes(String theme) throws IOException {
        browser.system(theme);
        for (String view : VIEWS) {
            open(view);
            browser.await("the view " + view, page -> page.count("main table, main .findings li, main .heat") > 0);
            assertThat(poorContrast()).as(view + " in " + theme).isEmpty();
        }
        open("#/key?key=invoice%3A42");
        browser.awaitText("#queue", "reports");
        browser.screenshot("key-" + theme);
        browser.click("#release");
        browser.await("#release-dialog[open]");
        assertThat(poorContrast()).as("the dialog in " + theme).isEmpty();
    }

    @Test
    void switchOverridesTheSystemsTheme() {
        String before = background();
        browser.click("#theme");
        browser.click("#theme");
        browser.awaitText("#theme", "dark");
        String dark = background();
        assertThat(dark).isNotEqualTo(before);
        browser.reload();
        browser.await(".locks tbody tr");
        assertThat(background()).isEqualTo(dark);
        browser.screenshot("locks-dark");
        browser.click("#theme");
        browser.awaitText("#theme", "auto");
        assertThat(background()).isEqualTo(before);
        browser.system("dark");
        browser.await("the theme of the system", page -> background().equals(dark));
    }

    private String background() {
        return (String) browser.script("return getComputedStyle(document.body).backgroundColor");
    }

    @SuppressWarnings("unchecked")
    private List<String> poorContrast() throws IOException {
        try (InputStream script = Objects.requireNonNull(ViewsTest.class.getResourceAsStream("contrast.js"))) {
            return (List<String>) browser.script(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void phoneWidthNeedsNoHorizontalScrolling() {
        browser.phone();
        for (String view : VIEWS) {
            open(view);
            browser.await("the view " + view, page -> page.count("main table, main .findings li, main .heat") > 0);
            Object beyond = browser.script(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(beyond).as(view).isEqualTo(0L);
        }
        open("#/locks");
        browser.awaitText(".locks", "invoice:42");
        browser.screenshot("phone");
    }

    @Test
    void pageLoadsNothingFromElsewhere() {
        Object foreign = browser.script(
                "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin + '/'))");
        assertThat(foreign).isEqualTo(List.of());
    }
}
