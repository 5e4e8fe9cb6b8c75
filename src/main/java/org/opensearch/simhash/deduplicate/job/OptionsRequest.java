/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import org.opensearch.simhash.deduplicate.options.WritePace;

/**
 * A {@link JobRequest} with options, over data streams, too.
 *
 * @param <O> the options
 */
public abstract class OptionsRequest<O> extends JobRequest {

    private final O options;

    protected OptionsRequest(String[] indices, O options, WritePace pace) {
        super(indices, pace);
        this.options = options;
    }

    public final O options() {
        return options;
    }

    @Override
    public boolean includeDataStreams() {
        return true;
    }
}
