/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.query.VerifyOptions;
import org.opensearch.simhash.verify.Verification;

/**
 * @param kind what is compared
 * @param fields objects with it; each gets an answer of its own
 * @param verify how texts are compared, without its similarity; null if the request does not say it
 * @param isMeasureGiven whether the request names the measure
 * @param minSimilarity the lowest similarity of near texts
 * @param sampleSize the number of documents to draw
 * @param pairsPerDistance the most pairs whose texts are compared
 * @param examples pairs to show per distance
 */
record CalibrateOptions(
        SketchKind kind,
        List<String> fields,
        QueryBuilder query,
        Verification verify,
        boolean isMeasureGiven,
        double minSimilarity,
        int maxDistance,
        int sampleSize,
        int pairsPerDistance,
        int examples,
        long seed)
        implements Writeable {

    private static final int MAX_DISTANCE = 64;
    private static final int MAX_SAMPLE_SIZE = 10_000;
    private static final int MAX_PAIRS = 2_000;
    private static final int MAX_EXAMPLES = 10;
    private static final int MAX_FIELDS = 10;

    CalibrateOptions {
        if (fields.isEmpty() || fields.size() > MAX_FIELDS) {
            throw new IllegalArgumentException(
                    "[field] must name 1 to " + MAX_FIELDS + " objects, got: " + fields.size());
        }
        fields = fields.stream()
                .map(field -> ProcessorOptions.requirePath("[field] must name a field", field))
                .distinct()
                .toList();
        if ((minSimilarity >= 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] must be between 0 and 1, got: " + minSimilarity);
        }
        require("max_distance", 0, MAX_DISTANCE, maxDistance);
        require("sample_size", 1, MAX_SAMPLE_SIZE, sampleSize);
        require("pairs_per_distance", 1, MAX_PAIRS, pairsPerDistance);
        require("examples", 0, MAX_EXAMPLES, examples);
    }

    CalibrateOptions(StreamInput in) throws IOException {
        this(
                in.readEnum(SketchKind.class),
                in.readStringList(),
                in.readNamedWriteable(QueryBuilder.class),
                in.readBoolean() ? VerifyOptions.read(in) : null,
                in.readBoolean(),
                in.readDouble(),
                in.readVInt(),
                in.readVInt(),
                in.readVInt(),
                in.readVInt(),
                in.readLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeEnum(kind);
        out.writeStringCollection(fields);
        out.writeNamedWriteable(query);
        out.writeBoolean(verify != null);
        if (verify != null) {
            VerifyOptions.write(out, verify);
        }
        out.writeBoolean(isMeasureGiven);
        out.writeDouble(minSimilarity);
        out.writeVInt(maxDistance);
        out.writeVInt(sampleSize);
        out.writeVInt(pairsPerDistance);
        out.writeVInt(examples);
        out.writeLong(seed);
    }

    private static void require(String option, int least, int most, int value) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "[" + option + "] must be between " + least + " and " + most + ", got: " + value);
        }
    }

    /** @param parser null if there is no body */
    static CalibrateOptions fromXContent(XContentParser parser) throws IOException {
        return CalibrateParser.parse(parser);
    }
}
