/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import java.io.IOException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * A request that names indices, aliases or patterns, and resolves them as a search does. Who checks rights may replace the names. The
 * options of a subclass are checked when they are read.
 */
public abstract class RequestOnIndices extends ActionRequest implements IndicesRequest.Replaceable {

    private String[] indices;

    protected RequestOnIndices(String... indices) {
        this.indices = indices;
    }

    protected RequestOnIndices(StreamInput in) throws IOException {
        super(in);
        this.indices = in.readStringArray();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        super.writeTo(out);
        out.writeStringArray(indices);
    }

    @Override
    public final String[] indices() {
        return indices;
    }

    @Override
    public final IndicesRequest indices(String... replaced) {
        indices = replaced;
        return this;
    }

    @Override
    public IndicesOptions indicesOptions() {
        return SearchRequest.DEFAULT_INDICES_OPTIONS;
    }

    @Override
    public ActionRequestValidationException validate() {
        return null;
    }
}
