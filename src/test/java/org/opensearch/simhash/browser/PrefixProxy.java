/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that offers a node below a path, as companies do. It notes requests for other paths. One request a connection. */
final class PrefixProxy implements AutoCloseable {

    private final URI node;
    private final String prefix;
    private final ServerSocket server;
    private final List<String> outside = new CopyOnWriteArrayList<>();

    PrefixProxy(URI node, String prefix) throws IOException {
        this.node = node;
        this.prefix = prefix;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "http://127.0.0.1:" + server.getLocalPort() + prefix;
    }

    /** Paths that are not below the prefix, but for the picture that browsers ask for. */
    List<String> outside() {
        return outside.stream()
                .filter(path -> path.equals("/favicon.ico") == false)
                .toList();
    }

    private void accept() {
        try {
            while (true) {
                Socket browser = server.accept();
                Thread.ofVirtual().start(() -> answer(browser));
            }
        } catch (IOException e) {
            assert server.isClosed() : e;
        }
    }

    private void answer(Socket browser) {
        try (browser) {
            InputStream in = browser.getInputStream();
            OutputStream out = browser.getOutputStream();
            List<String> head = head(in);
            if (head.isEmpty()) {
                return;
            }
            String[] first = head.getFirst().split(" ", -1);
            if (first[1].startsWith(prefix + "/") == false) {
                outside.add(first[1]);
                out.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
                return;
            }
            StringBuilder request = new StringBuilder();
            request.append(first[0] + " " + first[1].substring(prefix.length()) + " HTTP/1.1\r\nConnection: close\r\n");
            int length = 0;
            for (String line : head.subList(1, head.size())) {
                String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
                if (name.equals("content-length")) {
                    length = Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).trim());
                }
                if (name.equals("connection") == false) {
                    request.append(line).append("\r\n");
                }
            }
            byte[] body = in.readNBytes(length);
            try (Socket behind = new Socket(node.getHost(), node.getPort())) {
                behind.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                behind.getOutputStream().write(body);
                behind.getInputStream().transferTo(out);
            }
        } catch (IOException e) {
            // The browser has gone.
        }
    }

    /** The lines of a request before its body; none if the connection ends before. */
    private static List<String> head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int each = in.read(); each >= 0; each = in.read()) {
            head.write(each);
            String read = each == '\n' ? head.toString(StandardCharsets.ISO_8859_1) : "";
            if (read.endsWith("\r\n\r\n")) {
                return read.strip().lines().toList();
            }
        }
        return List.of();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
