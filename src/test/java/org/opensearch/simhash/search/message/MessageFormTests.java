/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.message;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.RequestHandlerRegistry;
import org.opensearch.transport.TransportService;

/** What another version of the plugin may send. */
public class MessageFormTests extends OpenSearchSingleNodeTestCase {

    private static final List<String> REQUESTS = List.of(
            "indices:data/read/simhash/durable",
            "indices:data/read/simhash/pairs",
            "internal:simhash/accepted_state",
            "internal:simhash/checkpoints",
            "internal:simhash/durable",
            "internal:simhash/in_sync_copies",
            "internal:simhash/near_duplicate/window",
            "cluster:monitor/simhash/stats[n]",
            "cluster:monitor/simhash/metrics[n]",
            "cluster:admin/simhash/rethrottle[n]");

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class);
    }

    public void testWhatIsWrittenIsRead() throws Exception {
        BytesStreamOutput out = new BytesStreamOutput();
        MessageForm.write(out);
        out.writeString("more");
        assertEquals("more", MessageForm.read(out.bytes().streamInput()).readString());
    }

    /** After what OpenSearch writes, zeros unless said, comes the form, which is not 0. */
    public void testEachMessageOfAnotherFormIsRefusedWithASentence() {
        for (String request : REQUESTS) {
            RequestHandlerRegistry<?> handler =
                    getInstanceFromNode(TransportService.class).getRequestHandler(request);
            assertRefused(request, handler::newRequest, 0);
        }
        SimHashPlugin plugin = getInstanceFromNode(PluginsService.class)
                .filterPlugins(SimHashPlugin.class)
                .getFirst();
        plugin.getNamedWriteables().forEach(entry -> assertRefused(entry.name, entry.reader, 0));
        plugin.getQueries().forEach(spec -> assertRefused(spec.getName().getPreferredName(), spec.getReader(), 0));
        plugin.getAggregations().forEach(spec -> {
            // A name, no aggregations below, and no metadata, which is -1.
            assertRefused(spec.getName().getPreferredName(), spec.getReader(), 0, 0, 0, 0, -1);
            spec.getResultReaders().forEach((name, reader) -> assertRefused(name, reader, 0, 0, -1));
        });
        plugin.getSearchExts().forEach(spec -> assertRefused("ext", spec.getReader(), 0));
    }

    private static void assertRefused(String what, Writeable.Reader<?> reader, int form, int... before) {
        byte[] message = new byte[100];
        Arrays.fill(message, (byte) form);
        for (int i = 0; i < before.length; i++) {
            message[i] = (byte) before[i];
        }
        OpenSearchStatusException refused =
                expectThrows(OpenSearchStatusException.class, () -> reader.read(new BytesArray(message).streamInput()));
        assertEquals(
                what,
                "a node has another version of opensearch-simhash, and sent what this node cannot read (form " + form
                        + "): install the same version on all nodes",
                refused.getMessage());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, refused.status());
    }
}
