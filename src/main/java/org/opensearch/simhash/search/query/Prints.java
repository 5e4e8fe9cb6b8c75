/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;

/** Prints in requests and between nodes. A {@link Print} itself belongs to the search, which knows neither. */
public final class Prints {

    private Prints() {}

    /** The option for a ready print; null if none can be typed. */
    static String option(SketchKind kind) {
        return switch (kind) {
            case SIMHASH -> FingerprintFields.HASH;
            case MINHASH -> FingerprintFields.SKETCH;
            case PASSAGES -> null;
        };
    }

    public static void write(StreamOutput out, Print print) throws IOException {
        out.writeEnum(print.kind());
        out.writeOptionalString(print.digest());
        out.writeOptionalString(print.scheme());
        out.writeBoolean(print.isWhole());
        if (print.isWhole()) {
            switch (print) {
                case Target target -> out.writeString(target.hex());
                case SketchTarget target -> {
                    out.writeByteArray(target.sketch().bytes());
                    out.writeBoolean(target.layout() != null);
                    if (target.layout() != null) {
                        out.writeVInt(target.layout().permutations());
                        out.writeVInt(target.layout().bands());
                        out.writeVInt(target.layout().rows());
                    }
                }
                case PassageTarget target -> {
                    out.writeCollection(target.texts().fields(), (stream, field) -> {
                        stream.writeDouble(field.weight());
                        stream.writeStringCollection(field.values());
                    });
                    out.writeOptionalString(target.texts().language());
                }
            }
        }
    }

    public static Print read(StreamInput in) throws IOException {
        SketchKind kind = in.readEnum(SketchKind.class);
        String digest = in.readOptionalString();
        String scheme = in.readOptionalString();
        boolean isWhole = in.readBoolean();
        return switch (kind) {
            case SIMHASH ->
                isWhole ? fromHex(in.readString(), digest, scheme) : new Target(OptionalLong.empty(), digest, scheme);
            case MINHASH ->
                new SketchTarget(
                        isWhole ? new Sketch(in.readByteArray()) : null,
                        isWhole && in.readBoolean()
                                ? new BandLayout(in.readVInt(), in.readVInt(), in.readVInt())
                                : null,
                        digest,
                        scheme);
            case PASSAGES ->
                new PassageTarget(
                        new SourceTexts(
                                in.readList(stream -> new FieldTexts(stream.readDouble(), stream.readStringList())),
                                in.readOptionalString()),
                        scheme);
        };
    }

    /** A fingerprint of any length. */
    static Target fromHex(String hash, String digest, String scheme) {
        return LongHash.isHex(hash)
                ? new Target(OptionalLong.empty(), LongHash.fromHex(hash), digest, scheme)
                : new Target(OptionalLong.of(Fingerprint.fromHex(hash)), digest, scheme);
    }

    /** What a user types. The bands of a typed sketch are unknown, so that the query scans all sketches. */
    static Print typed(SketchKind kind, String ready) {
        return switch (kind) {
            case SIMHASH -> fromHex(ready, null, null);
            case MINHASH -> new SketchTarget(Sketch.fromBase64(ready), null, null, null);
            case PASSAGES -> throw new IllegalArgumentException("passages cannot be typed");
        };
    }

    static void toXContent(XContentBuilder builder, Print print) throws IOException {
        String ready = switch (print) {
            case Target target -> target.isWhole() ? target.hex() : null;
            case SketchTarget target -> target.isWhole() ? target.sketch().toBase64() : null;
            case PassageTarget target -> null;
        };
        if (ready != null) {
            builder.field(option(print.kind()), ready);
        }
        writeOptional(builder, "digest", print.digest());
        writeOptional(builder, "scheme", print.scheme());
    }

    static void writeOptional(XContentBuilder builder, String name, String value) throws IOException {
        if (value != null) {
            builder.field(name, value);
        }
    }

    static Print of(SketchKind kind, Fingerprinter recipe, SourceTexts texts, LongConsumer memory) {
        return switch (kind) {
            case SIMHASH -> {
                Fingerprint fingerprint = recipe.fingerprint(texts, memory);
                yield new Target(fingerprint.bits(), fingerprint.digest(), fingerprint.scheme());
            }
            case MINHASH -> {
                SketchedText text = recipe.sketch(texts, memory);
                yield new SketchTarget(
                        text.sketch().orElse(null), recipe.recipe().bandLayout(), text.digest(), text.scheme());
            }
            case PASSAGES -> new PassageTarget(texts, recipe.scheme());
        };
    }
}
