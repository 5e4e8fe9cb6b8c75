/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import static java.util.stream.Collectors.toSet;
import static org.opensearch.cluster.coordination.CoordinationMetadata.VotingConfiguration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.coordination.CoordinationMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.telemetry.tracing.noop.NoopTracer;
import org.opensearch.test.ClusterServiceUtils;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.transport.CapturingTransport;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Who has to be asked for the current cluster state, and what this node has to wait for. */
public final class CurrentStateTests extends OpenSearchTestCase {

    private final CapturingTransport sent = new CapturingTransport();
    private final List<ClusterState> answers = Collections.synchronizedList(new ArrayList<>());
    private ThreadPool threads;
    private ClusterService cluster;
    private TransportService transport;
    private CurrentState current;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        threads = new TestThreadPool(getTestName());
        cluster = ClusterServiceUtils.createClusterService(threads);
        transport = sent.createTransportService(
                Settings.EMPTY,
                threads,
                TransportService.NOOP_TRANSPORT_INTERCEPTOR,
                any -> cluster.localNode(),
                null,
                Set.of(),
                NoopTracer.INSTANCE);
        transport.start();
        transport.acceptIncomingRequests();
        current = new CurrentState(transport, cluster, null);
    }

    @Override
    public void tearDown() throws Exception {
        transport.close();
        cluster.close();
        ThreadPool.terminate(threads, 10, TimeUnit.SECONDS);
        super.tearDown();
    }

    public void testAMajorityOfTheVotersAndWhatTheyAcceptedAreWaitedFor() {
        apply(5, "a", "b", "c");
        ask();
        assertAsked("a", "b", "c");
        answer("a", 6);
        assertEquals(List.of(), answers);
        answer("b", 5);
        assertEquals("6 may be committed, and is not known here yet", List.of(), answers);
        apply(6, "a", "b", "c");
        assertEquals(List.of(6L), versions());
    }

    /** What follows a state with other voters needs no vote of those that this node knew. */
    public void testVotersThatCameInTheMeantimeAreAsked() {
        apply(5, "a", "b", "c");
        ask();
        answer("a", 6);
        answer("b", 6);
        apply(6, "d", "e", "f");
        assertEquals("8 was committed by d, e and f alone", List.of(), answers);
        assertAsked("d", "e", "f");
        answer("d", 8);
        answer("e", 8);
        assertEquals(List.of(), answers);
        apply(7, "d", "e", "f");
        assertEquals(List.of(), answers);
        apply(8, "d", "e", "f");
        assertEquals(List.of(8L), versions());
    }

    private void ask() {
        current.read(TimeValue.timeValueMinutes(1), answers::add);
    }

    private List<Long> versions() {
        return answers.stream().map(ClusterState::version).toList();
    }

    private void assertAsked(String... voters) {
        assertEquals(
                Set.of(voters),
                Arrays.stream(sent.capturedRequests())
                        .map(request -> request.node.getId())
                        .filter(Set.of(voters)::contains)
                        .collect(toSet()));
    }

    private void answer(String voter, long version) {
        CapturingTransport.CapturedRequest asked = Arrays.stream(sent.capturedRequests())
                .filter(request -> request.node.getId().equals(voter))
                .findFirst()
                .orElseThrow();
        sent.handleResponse(asked.requestId, CurrentState.OF_NODE.answer(new CurrentState.Accepted(1, version)));
    }

    private void apply(long version, String... voters) {
        DiscoveryNodes.Builder nodes = DiscoveryNodes.builder()
                .add(cluster.localNode())
                .localNodeId(cluster.localNode().getId());
        Stream.of("a", "b", "c", "d", "e", "f")
                .map(id -> new DiscoveryNode(id, buildNewFakeTransportAddress(), Version.CURRENT))
                .forEach(nodes::add);
        VotingConfiguration voting = new VotingConfiguration(Set.of(voters));
        CoordinationMetadata coordination = CoordinationMetadata.builder()
                .term(1)
                .lastCommittedConfiguration(voting)
                .lastAcceptedConfiguration(voting)
                .build();
        ClusterState.Builder state = ClusterState.builder(cluster.state())
                .version(version - 1) // The framework adds one.
                .nodes(nodes)
                .metadata(Metadata.builder().coordinationMetadata(coordination));
        ClusterServiceUtils.setState(cluster.getClusterApplierService(), state.build());
    }
}
