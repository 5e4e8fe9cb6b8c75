/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.opensearch.simhash.folders.Folders;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/**
 * A real node with the plugin and a real security plugin. That is the newest one in Maven Central, for an older OpenSearch: its
 * descriptor gets the version of the node, and libraries that the node has itself are left out.
 */
final class SecuredNode implements AutoCloseable {

    private static final String PASSWORD = "Tram!Harbour-2026x";
    /** The user of the plugin's own set-up, whose password has the hash of a real one. */
    private static final String FIRST = "admin";

    private static final String ADMIN = "keeper";

    private static final String RELEASE = System.getProperty("secured.version");

    private final Distribution build = Distribution.ofTheBuild();
    private final Path folder;
    private final RealCluster cluster;
    private final RestClient admin;

    private SecuredNode() throws IOException, InterruptedException {
        folder = build.newFolder();
        Path stock = folder.resolve("stock");
        Folders.link(build.stock().resolveSibling("opensearch-" + RELEASE), stock);
        Path log = folder.resolve("install.log");
        Distribution.runInstaller(stock, securityZip(stock), log);
        configure(stock, log);
        NodeOptions quick = NodeOptions.quick(1);
        Map<String, String> settings = new HashMap<>(quick.settings());
        for (String setting : List.of("pemcert", "pemkey", "pemtrustedcas")) {
            String file = Map.of("pemcert", "esnode.pem", "pemkey", "esnode-key.pem", "pemtrustedcas", "root-ca.pem")
                    .get(setting);
            settings.put("plugins.security.ssl.transport." + setting + "_filepath", file);
        }
        settings.put("plugins.security.ssl.transport.enforce_hostname_verification", "false");
        settings.put("plugins.security.ssl.http.enabled", "false");
        settings.put("plugins.security.allow_unsafe_democertificates", "true");
        settings.put("plugins.security.allow_default_init_securityindex", "true");
        settings.put("plugins.security.restapi.roles_enabled", "all_access");
        settings.put("plugins.security.system_indices.enabled", "true");
        settings.put("plugins.simhash.schedules.interval", "500ms");
        // Each change of a role or user lets the plugin forget who was here: with 12 rounds it spends most time on
        // passwords.
        settings.put("plugins.security.password.hashing.bcrypt.rounds", "4");
        cluster = RealCluster.start(
                new Distribution(stock, build.zip(), build.work()),
                new NodeOptions(1, List.of("-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=1"), settings),
                authorization(FIRST));
        putUser(cluster.client(), ADMIN, "all_access");
        admin = new RestClient(cluster.client().address(), authorization(ADMIN));
    }

    static SecuredNode start() {
        try {
            return new SecuredNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path securityZip(Path stock) throws IOException {
        Path edited = folder.resolve("opensearch-security.zip");
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(Path.of(System.getProperty("security.zip"))));
                OutputStream file = Files.newOutputStream(edited);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (Files.exists(stock.resolve("lib").resolve(entry.getName())) && entry.isDirectory() == false) {
                    continue;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                if (entry.getName().equals("plugin-descriptor.properties")) {
                    out.write(descriptor(in));
                } else {
                    in.transferTo(out);
                }
            }
        }
        return edited;
    }

    private static byte[] descriptor(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                .replaceFirst("(?m)^opensearch\\.version=.*$", "opensearch.version=" + RELEASE)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Its own demo set-up: certificates, and the user admin. */
    private static void configure(Path stock, Path log) throws IOException, InterruptedException {
        Path settings = stock.resolve("config/opensearch.yml");
        byte[] before = Files.readAllBytes(settings);
        Files.delete(settings); // It is a link, which the script would write to.
        Files.write(settings, before);
        ProcessBuilder demo = new ProcessBuilder(
                        "bash",
                        stock.resolve("plugins/opensearch-security/tools/install_demo_configuration.sh")
                                .toString(),
                        "-y",
                        "-i",
                        "-s")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        demo.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
        demo.environment().put("OPENSEARCH_INITIAL_ADMIN_PASSWORD", PASSWORD);
        if (demo.start().waitFor() != 0) {
            throw new IllegalStateException(Files.readString(log));
        }
    }

    private static Map<String, String> authorization(String user) {
        byte[] both = (user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
        return Map.of("authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }

    RestClient admin() {
        return admin;
    }

    RestClient as(String user) {
        return new RestClient(admin().address(), authorization(user));
    }

    /** Who has its client closes it. */
    Scene scene(String user) {
        return new Scene(as(ADMIN), as(user));
    }

    /** A role, and a user of the same name who has it. */
    void putRole(String name, Map<String, Object> role) {
        admin().must("PUT", "/_plugins/_security/api/roles/" + name, Json.write(role));
        putUser(admin(), name, name);
    }

    private static void putUser(RestClient client, String name, String role) {
        client.must(
                "PUT",
                "/_plugins/_security/api/internalusers/" + name,
                Json.write(Map.of("password", PASSWORD, "opendistro_security_roles", List.of(role))));
    }

    @Override
    public void close() throws IOException {
        admin.close();
        cluster.close();
        Folders.delete(folder);
    }
}
