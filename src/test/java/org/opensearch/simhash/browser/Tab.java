/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;

/** A page as somebody uses it: keys, and what it shows. Notes everything that runs although it must not. */
final class Tab implements AutoCloseable {

    /** In pixels, around a part of a page. */
    private static final int MARGIN = 16;

    private static final int MOST_TABS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Before anything of the page runs: what a document could do, and what the policy has stopped. */
    private static final String WATCH = """
        globalThis.watched = { executed: [], violations: [] };
        for (const name of ["alert", "confirm", "prompt", "print"]) {
          globalThis[name] = (...what) => watched.executed.push(name + ": " + what);
        }
        document.addEventListener("securitypolicyviolation", (event) =>
          watched.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample));
        """;

    /** Of keys that the browser itself acts upon. */
    private static final Map<String, Integer> CODES =
            Map.of("Tab", 9, "Enter", 13, "Escape", 27, " ", 32, "ArrowUp", 38, "ArrowDown", 40);

    private final DevTools tools;

    Tab(DevTools tools) {
        this.tools = tools;
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tools.call(domain + ".enable", Map.of());
        }
        tools.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
    }

    void open(String address) {
        tools.call("Page.navigate", Map.of("url", address));
    }

    /** The value of an expression; of a promise, what it becomes. */
    Object eval(String expression) {
        Map<?, ?> answer = tools.call(
                "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.get("exceptionDetails") != null) {
            throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
        }
        return Json.at(answer, "result.value");
    }

    String text(String id) {
        return String.valueOf(eval("document.getElementById(" + Text.quoted(id) + ").textContent"));
    }

    /** Waits until an expression is true. */
    void await(String expression) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            try {
                if (Boolean.TRUE.equals(eval("Boolean(" + expression + ")"))) {
                    return;
                }
            } catch (IllegalStateException e) {
                // The page is not there yet.
            }
            Pause.shortly();
        }
        throw new AssertionError("never: " + expression + "\npage: " + eval("document.body?.innerText?.slice(0, 3000)")
                + "\nlog: " + problems());
    }

    /** Waits until a text is on the page. */
    void awaitText(String id, String part) {
        await("document.getElementById(" + Text.quoted(id) + ")?.textContent.includes(" + Text.quoted(part) + ")");
    }

    /** Waits until all keys that were pressed have been acted upon. */
    void settle() {
        await("page.groups.length > 0 || page.runs.length > 0 || !document.getElementById('problem').hidden");
        eval("(async () => { let seen; do { seen = page.writing; await seen; } while (seen !== page.writing); })()");
        await("document.documentElement.dataset.shown === String(page.shown) || !current()"
                + " || !document.getElementById('problem').hidden");
    }

    /** As somebody presses it, wherever the focus is. */
    void press(String key) {
        String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
        int code = CODES.getOrDefault(key, 0);
        for (String type : List.of(text.isEmpty() ? "rawKeyDown" : "keyDown", "keyUp")) {
            tools.call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "text",
                            type.equals("keyUp") ? "" : text,
                            "windowsVirtualKeyCode",
                            code));
        }
    }

    void resize(int width, int height) {
        tools.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Text that somebody types into the field with the focus. */
    void type(String text) {
        text.chars().forEach(each -> press(String.valueOf((char) each)));
    }

    /** Presses Tab until an element has the focus. */
    void tabTo(String id) {
        for (int i = 0; i < MOST_TABS; i++) {
            if (id.equals(eval("document.activeElement.id"))) {
                return;
            }
            press("Tab");
        }
        throw new AssertionError("Tab never comes to " + id + ": " + eval("document.activeElement.outerHTML"));
    }

    void colors(String scheme) {
        tools.call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** As on a screen, or on paper. */
    void media(String media) {
        tools.call("Emulation.setEmulatedMedia", Map.of("media", media));
    }

    void offline(boolean isOffline) {
        tools.call(
                "Network.emulateNetworkConditions",
                Map.of("offline", isOffline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Bytes of scripts' objects, without garbage. */
    long heap() {
        tools.call("HeapProfiler.collectGarbage", Map.of());
        return ((Number) tools.call("Runtime.getHeapUsage", Map.of()).get("usedSize")).longValue();
    }

    /** Of what is in sight. */
    void screenshot(Path file) throws IOException {
        screenshot(file, Map.of("format", "png"));
    }

    /** From one element down to another, over the whole width of the page. */
    void screenshot(Path file, String first, String last) throws IOException {
        double top = edge(first, "top") - MARGIN;
        double width = ((Number) eval("document.documentElement.clientWidth")).doubleValue();
        Map<String, ?> clip =
                Map.of("x", 0, "y", top, "width", width, "height", edge(last, "bottom") + MARGIN - top, "scale", 1);
        screenshot(file, Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
    }

    private double edge(String id, String side) {
        return ((Number) eval("document.getElementById('" + id + "').getBoundingClientRect()." + side + " + scrollY"))
                .doubleValue();
    }

    private void screenshot(Path file, Map<String, ?> options) throws IOException {
        Object data = tools.call("Page.captureScreenshot", options).get("data");
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode((String) data));
    }

    /** What ran of documents; none is right. */
    List<?> executed() {
        return (List<?>) eval("watched.executed");
    }

    /** What the policy stopped; with none nothing was even tried. */
    List<?> violations() {
        return (List<?>) eval("watched.violations");
    }

    /** Errors in the console, and exceptions that nobody caught. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        tools.events("Runtime.exceptionThrown").forEach(event -> problems.add(event.toString()));
        for (Map<?, ?> event : tools.events("Log.entryAdded")) {
            if ("error".equals(Json.at(event, "params.entry.level"))) {
                problems.add(Json.at(event, "params.entry.text") + " " + Json.at(event, "params.entry.url"));
            }
        }
        return problems;
    }

    /** Addresses of all requests so far. */
    List<String> requests() {
        return tools.events("Network.requestWillBeSent").stream()
                .map(event -> String.valueOf(Json.at(event, "params.request.url")))
                .toList();
    }

    void forgetEvents() {
        tools.forgetEvents();
    }

    @Override
    public void close() {
        try {
            tools.call("Page.close", Map.of());
        } finally {
            tools.close();
        }
    }
}
