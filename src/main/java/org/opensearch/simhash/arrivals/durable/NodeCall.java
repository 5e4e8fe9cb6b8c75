/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.function.BiConsumer;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.support.ChannelActionListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/** A question that nodes of this part ask each other, and its answer. Both tell their form ({@link MessageForm}). Immutable. */
public record NodeCall<Q, A>(
        String action,
        Writeable.Writer<Q> questionWriter,
        Writeable.Reader<Q> questionReader,
        Writeable.Writer<A> answerWriter,
        Writeable.Reader<A> answerReader) {

    private final class Question extends TransportRequest {

        private final Q asked;

        Question(Q asked) {
            this.asked = asked;
        }

        Question(StreamInput in) throws IOException {
            super(in);
            this.asked = questionReader.read(MessageForm.read(in));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            questionWriter.write(out, asked);
        }
    }

    private final class Answer extends TransportResponse {

        private final A given;

        Answer(A given) {
            this.given = given;
        }

        Answer(StreamInput in) throws IOException {
            super(in);
            this.given = answerReader.read(MessageForm.read(in));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            answerWriter.write(out, given);
        }
    }

    /**
     * Answers other nodes.
     *
     * @param isForced whether a full queue takes a question, too
     */
    public void serve(
            TransportService transport, String threads, boolean isForced, BiConsumer<Q, ActionListener<A>> answers) {
        transport.registerRequestHandler(
                action,
                threads,
                isForced,
                true,
                Question::new,
                (question, channel, task) -> answers.accept(
                        question.asked,
                        ActionListener.map(new ChannelActionListener<>(channel, action, question), Answer::new)));
    }

    TransportResponse answer(A given) {
        return new Answer(given);
    }

    /**
     * @param parent whose end cancels the question, or null
     * @param listener is told once
     */
    public void ask(
            TransportService transport,
            DiscoveryNode node,
            Q asked,
            Task parent,
            TimeValue patience,
            ActionListener<A> listener) {
        Question question = new Question(asked);
        if (parent != null) {
            question.setParentTask(transport.getLocalNode().getId(), parent.getId());
        }
        ActionListener<Answer> once = ActionListener.notifyOnce(ActionListener.map(listener, answer -> answer.given));
        transport.sendRequest(
                node,
                action,
                question,
                TransportRequestOptions.builder().withTimeout(patience).build(),
                new ActionListenerResponseHandler<>(once, Answer::new));
    }
}
