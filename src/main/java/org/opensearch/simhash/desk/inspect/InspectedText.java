/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** A text to inspect, or a hash in its place: exactly one of text, document, id, hash and image, but a fetched document has an id. */
record InspectedText(
        String text, Map<String, Object> document, String index, String id, String routing, String hash, String image) {

    private static final int MAX_VALUES = 200_000;

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("compare");

    static {
        declare(PARSER);
        option(PARSER, "index", RequestOptions::text);
        option(PARSER, "id", RequestOptions::name);
        option(PARSER, "routing", RequestOptions::name);
        option(PARSER, "hash", RequestOptions::text);
        option(PARSER, "image", RequestOptions::text);
        PARSER.declareRequiredFieldSet("text", "document", "id", "hash", "image");
        PARSER.declareExclusiveFieldSet("text", "document", "id", "hash", "image");
    }

    static void declare(ObjectParser<Given, Void> parser) {
        option(parser, "text", RequestOptions::text);
        CheckedFunction<XContentParser, ?, IOException> bounded = BoundedObject.reader("document", MAX_VALUES);
        RequestOptions.declare(parser, "document", RequestOptions.object("document", bounded));
    }

    static InspectedText of(Given given) {
        return new InspectedText(
                given.get("text", null),
                given.get("document", null),
                given.get("index", null),
                given.get("id", null),
                given.get("routing", null),
                given.get("hash", null),
                given.get("image", null));
    }

    InspectedText {
        if ((index == null) != (id == null)) {
            throw new IllegalArgumentException("[index] and [id] are only allowed together, got: "
                    + (index == null ? "id " + id : "index " + index));
        }
        if (routing != null && id == null) {
            throw new IllegalArgumentException("[routing] is only allowed together with [id], got: " + routing);
        }
    }

    static InspectedText fromXContent(XContentParser parser) throws IOException {
        return of(PARSER.parse(parser, null));
    }

    boolean isStored() {
        return id != null && document == null;
    }

    /** Whether it is a hash, or something else than texts that has one. */
    boolean isHash() {
        return hash != null || image != null;
    }

    InspectedText withDocument(Map<String, Object> source) {
        return new InspectedText(null, source, index, id, routing, null, null);
    }

    /** Whether a recipe finds readable text in it. Not for a text that must be fetched. */
    boolean isReadBy(Fingerprinter fingerprinter) {
        return text != null
                || DocumentTexts.readable(fingerprinter.recipe(), document).isPresent();
    }

    /** @throws IllegalArgumentException if the recipe finds none, or a field holds an object */
    SourceTexts sourceTexts(Fingerprinter fingerprinter) {
        Optional<SourceTexts> read =
                text == null ? DocumentTexts.read(fingerprinter.recipe(), document) : Optional.of(SourceTexts.of(text));
        return read.orElseThrow(() -> new IllegalArgumentException(name() + " must have at least one of the fields "
                + paths(fingerprinter) + " of the recipe, got: "
                + TypedNumber.shown(new TreeSet<>(document.keySet()).toString())));
    }

    String name() {
        return id == null ? "[document]" : "document [" + id + "] of index [" + index + "]";
    }

    private static List<String> paths(Fingerprinter fingerprinter) {
        return fingerprinter.recipe().fields().stream().map(WeightedField::path).toList();
    }

    /** Reads an object with a limit on values and depth: a value of two characters takes a hundred bytes of heap. */
    static final class BoundedObject {

        static final int MAX_DEPTH = 100;

        private final String option;
        private final int maxValues;
        private int values;
        private int depth;

        private BoundedObject(String option, int maxValues) {
            this.option = option;
            this.maxValues = maxValues;
        }

        static CheckedFunction<XContentParser, Map<String, Object>, IOException> reader(String option, int maxValues) {
            return parser -> new BoundedObject(option, maxValues).object(parser);
        }

        private Map<String, Object> object(XContentParser parser) throws IOException {
            enter();
            Map<String, Object> object = new HashMap<>();
            for (Token token = parser.nextToken(); token != Token.END_OBJECT; token = parser.nextToken()) {
                String name = parser.currentName();
                parser.nextToken();
                object.put(name, value(parser));
            }
            depth--;
            return object;
        }

        private List<Object> list(XContentParser parser) throws IOException {
            enter();
            List<Object> list = new ArrayList<>();
            while (parser.nextToken() != Token.END_ARRAY) {
                list.add(value(parser));
            }
            depth--;
            return list;
        }

        private Object value(XContentParser parser) throws IOException {
            if (++values > maxValues) {
                throw refusal("have at most " + maxValues + " values", "more");
            }
            return switch (parser.currentToken()) {
                case START_OBJECT -> object(parser);
                case START_ARRAY -> list(parser);
                case VALUE_STRING -> parser.text();
                case VALUE_NUMBER -> parser.numberValue();
                case VALUE_BOOLEAN -> parser.booleanValue();
                case VALUE_EMBEDDED_OBJECT -> parser.binaryValue();
                case VALUE_NULL -> null;
                case FIELD_NAME, END_OBJECT, END_ARRAY -> throw refusal("be one object", "no value");
            };
        }

        private void enter() {
            if (++depth > MAX_DEPTH) {
                throw refusal("have at most " + MAX_DEPTH + " objects and arrays inside one another", "more");
            }
        }

        private IllegalArgumentException refusal(String rule, String got) {
            return new IllegalArgumentException("[" + option + "] must " + rule + ", got: " + got);
        }
    }
}
