/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Compares two given texts. A cluster action: it reads no index and needs no right on one. */
public final class CompareTextsAction extends ActionType<CompareAction.Response> {

    public static final String NAME = "cluster:monitor/simhash/compare";
    public static final CompareTextsAction INSTANCE = new CompareTextsAction();

    private CompareTextsAction() {
        super(NAME, CompareAction.Response::new);
    }

    /**
     * Two texts and a recipe. Stored texts are refused: they belong to {@link CompareAction}, which names their
     * indices.
     */
    public static final class Request extends InspectRequest {

        private final InspectedText a;
        private final InspectedText b;

        Request(RecipeChoice recipe, InspectedText a, InspectedText b) {
            super(recipe);
            this.a = requireGiven("a", a);
            this.b = requireGiven("b", b);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.a = requireGiven("a", new InspectedText(in));
            this.b = requireGiven("b", new InspectedText(in));
        }

        private static InspectedText requireGiven(String option, InspectedText text) {
            if (text.isStored()) {
                throw new IllegalArgumentException("[" + option + "] must be given along, got: [" + text.id()
                        + "] of index [" + text.index() + "]");
            }
            return text;
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            a.writeTo(out);
            b.writeTo(out);
        }

        InspectedText a() {
            return a;
        }

        InspectedText b() {
            return b;
        }

        @Override
        String description() {
            return "comparison of two texts";
        }
    }
}
