/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.deduplicate.options.WritePace;

/**
 * A {@link JobRequest} with options, over data streams, too.
 *
 * @param <O> the options
 */
public abstract class OptionsRequest<O extends Writeable> extends JobRequest {

    private final O options;

    protected OptionsRequest(String[] indices, O options, WritePace pace) {
        super(indices, pace);
        this.options = options;
    }

    protected OptionsRequest(StreamInput in, Writeable.Reader<O> reader) throws IOException {
        super(in);
        this.options = reader.read(in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        super.writeTo(out);
        options.writeTo(out);
    }

    public final O options() {
        return options;
    }

    @Override
    public boolean includeDataStreams() {
        return true;
    }
}
