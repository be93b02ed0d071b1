package io.keyhold.console.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A headless Chromium with an empty profile. It and chromedriver come from the PATH: Selenium downloads nothing, as both paths
 * are given. A test is skipped where they are not installed.
 */
final class Browser implements AutoCloseable {

    /** No condition takes this long; a machine may stand still for a while. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser start() {
        Optional<File> chromium = executable("chromium", "chromium-browser", "google-chrome");
        Optional<File> chromedriver = executable("chromedriver");
        assumeTrue(chromium.isPresent() && chromedriver.isPresent(), "needs chromium and chromedriver in the PATH");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        // Without a sandbox, because containers run as root; without a word to any server but the console.
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--lang=en",
                "--window-size=1280,640");
        options.setCapability(ChromeOptions.LOGGING_PREFS, Map.of(LogType.BROWSER, "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.orElseThrow())
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.desktop();
        browser.system("light");
        return browser;
    }

    private static Optional<File> executable(String... names) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(names)
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst();
    }

    void open(String address) {
        driver.get(address);
    }

    String address() {
        return driver.getCurrentUrl();
    }

    void back() {
        driver.navigate().back();
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** Awaits an element that is displayed. */
    WebElement await(String css) {
        return await(
                        "an element " + css,
                        browser -> browser.find(css)
                                .filter(WebElement::isDisplayed)
                                .isPresent())
                .find(css)
                .orElseThrow();
    }

    /** Awaits an element with this text in it. */
    void awaitText(String css, String text) {
        await("'" + text + "' in " + css, browser -> browser.text(css).contains(text));
    }

    void awaitGone(String css) {
        await("no element " + css, browser -> browser.find(css).isEmpty());
    }

    Browser await(String what, Predicate<Browser> condition) {
        new WebDriverWait(driver, LIMIT)
                .withMessage(() -> what + "; the page shows: " + text("body"))
                .ignoring(StaleElementReferenceException.class)
                .ignoring(NoSuchElementException.class)
                .ignoring(JavascriptException.class)
                .until(ignored -> condition.test(this));
        return this;
    }

    Optional<WebElement> find(String css) {
        return driver.findElements(By.cssSelector(css)).stream().findFirst();
    }

    /** Returns the text of all elements that match, a line for each. One request, so that no element goes stale meanwhile. */
    String text(String css) {
        return (String)
                script("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')", css);
    }

    long count(String css) {
        return (Long) script("return document.querySelectorAll(arguments[0]).length", css);
    }

    void click(String css) {
        await(css);
        driver.executeScript("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css);
        await("a click on " + css, browser -> {
            browser.find(css).orElseThrow().click();
            return true;
        });
    }

    /** Types into the element. */
    void type(String css, String text) {
        await(css).sendKeys(text);
    }

    /** Presses keys, wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Returns the id of the element with the focus, or its text if it has none. */
    String focused() {
        return (String) script("const e = document.activeElement; return e.id || e.innerText || e.tagName");
    }

    /** Runs a script and returns its result, which must not be null. */
    Object script(String script, Object... arguments) {
        return Objects.requireNonNull(driver.executeScript(script, arguments));
    }

    void desktop() {
        size(1280, 640);
    }

    void phone() {
        size(390, 844);
    }

    private void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Sets what the operating system says of light and dark. */
    void system(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Makes new requests of the page fail, or lets them succeed again. The event stream stays open. */
    void offline(boolean offline) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", offline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Returns the size of the page's objects after a garbage collection. */
    long heapMegabytes() {
        driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        Map<String, Object> usage = driver.executeCdpCommand("Runtime.getHeapUsage", Map.of());
        return ((Number) Objects.requireNonNull(usage.get("usedSize"))).longValue() / 1_000_000;
    }

    /** Returns the errors that the browser has logged since the last call, such as a breach of the content security policy. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .filter(entry -> entry.contains("[SEVERE]") || entry.contains("[WARNING]"))
                .toList();
    }

    /** Keeps a picture as build output, and with {@code -Dkeyhold.console.images=true} as that of the documentation, if it has it. */
    void screenshot(String name) {
        byte[] picture = driver.getScreenshotAs(OutputType.BYTES);
        Path documented =
                Path.of(System.getProperty("keyhold.root", ".."), "docs", "images", "console-" + name + ".png");
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), picture);
            if (Boolean.getBoolean("keyhold.console.images") && Files.exists(documented)) {
                Files.write(documented, picture);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
