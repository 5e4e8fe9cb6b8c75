/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.simhash.deduplicate.job.OptionsRequest;
import org.opensearch.simhash.deduplicate.options.WritePace;

/** Suggests a distance and a similarity for some indices. Only reads. */
public final class CalibrateAction extends ActionType<CalibrateResponse> {

    public static final String NAME = "indices:data/read/simhash/calibrate";
    public static final CalibrateAction INSTANCE = new CalibrateAction();

    private CalibrateAction() {
        super(NAME, CalibrateResponse::new);
    }

    /** The indices and the options. */
    public static final class Request extends OptionsRequest<CalibrateOptions> {

        /** A calibration writes nothing. */
        private static final WritePace ANY = WritePace.of(-1, 1);

        Request(String[] indices, CalibrateOptions options) {
            super(indices, options, ANY);
        }

        Request(StreamInput in) throws IOException {
            super(in, CalibrateOptions::new);
        }

        @Override
        public String getDescription() {
            return "calibrate [" + String.join(",", indices()) + "]";
        }
    }
}
