/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.lookup.SourceLookup;

/**
 * The source of a copy: the source of the document, byte for byte, with one more field at its end that tells where the document was.
 * Parsing and writing would change numbers such as 1.10. Only sources that are not JSON, or that others have rewritten, are parsed.
 */
public final class ArchivedSource {

    private static final byte[] KEY = ("\"" + ArchiveIndex.ORIGIN + "\":").getBytes(StandardCharsets.UTF_8);

    private ArchivedSource() {}

    /** As JSON. */
    public static BytesReference copy(BytesReference source, Map<String, ?> origin) {
        if (isJson(source)) {
            List<String> keys = keys(source);
            requireNone(keys);
            int end = source.length() - 1;
            while (source.get(end) != '}') {
                end--;
            }
            BytesReference copy = CompositeBytesReference.of(
                    source.slice(0, end),
                    new BytesArray(keys.isEmpty() ? "" : ","),
                    new BytesArray(KEY),
                    json(origin),
                    source.slice(end, source.length() - end));
            keys.add(ArchiveIndex.ORIGIN);
            // The brace may be part of a comment.
            if (keys.equals(keys(copy))) {
                return copy;
            }
        }
        Map<String, Object> document = map(source);
        requireNone(document.keySet());
        document.put(ArchiveIndex.ORIGIN, origin);
        return json(document);
    }

    private static void requireNone(Collection<String> keys) {
        // A name with a dot is a field of the object, too.
        if (keys.stream()
                .anyMatch(key -> key.equals(ArchiveIndex.ORIGIN) || key.startsWith(ArchiveIndex.ORIGIN + "."))) {
            throw new IllegalArgumentException(
                    "[archive] needs documents without a field [" + ArchiveIndex.ORIGIN + "] of their own");
        }
    }

    /** A hash of what a document says, whatever the order of its names and its white space. */
    public static String hash(BytesReference source, Collection<String> without) {
        Map<String, Object> document = map(source);
        without.forEach(path -> remove(document, path));
        return MessageDigests.toHexString(
                MessageDigests.sha256().digest(BytesReference.toBytes(json(sorted(document)))));
    }

    private static void remove(Map<?, ?> document, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            document.remove(path);
        } else if (document.get(path.substring(0, dot)) instanceof Map<?, ?> below) {
            remove(below, path.substring(dot + 1));
        }
    }

    private static Map<String, Object> sorted(Map<?, ?> object) {
        Map<String, Object> sorted = new TreeMap<>();
        object.forEach((name, value) -> sorted.put(String.valueOf(name), sortedValue(value)));
        return sorted;
    }

    private static Object sortedValue(Object value) {
        return switch (value) {
            case Map<?, ?> object -> sorted(object);
            case List<?> list -> {
                List<Object> elements = new ArrayList<>();
                list.forEach(element -> elements.add(sortedValue(element)));
                yield elements;
            }
            case null -> null;
            default -> value;
        };
    }

    public static BytesReference original(BytesReference copy) {
        Map<String, Object> document = map(copy);
        document.remove(ArchiveIndex.ORIGIN);
        BytesReference source = isJson(copy) ? cut(BytesReference.toBytes(copy)) : null;
        return source != null && isSame(source, document) ? source : json(document);
    }

    /** Where the document was; empty if this is no copy. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> origin(Map<String, Object> copy) {
        return copy.get(ArchiveIndex.ORIGIN) instanceof Map<?, ?> origin ? (Map<String, Object>) origin : Map.of();
    }

    /** The bytes before the last such key, and the end; null if there is none. Quotes in values are escaped. */
    private static BytesReference cut(byte[] copy) {
        int end = copy.length - 1;
        while (end > 0 && copy[end] != '}') {
            end--;
        }
        for (int key = end - KEY.length; key > 0; key--) {
            if (Arrays.equals(copy, key, key + KEY.length, KEY, 0, KEY.length)) {
                int to = copy[key - 1] == ',' ? key - 1 : key;
                return CompositeBytesReference.of(
                        new BytesArray(copy, 0, to), new BytesArray(copy, end, copy.length - end));
            }
        }
        return null;
    }

    private static boolean isSame(BytesReference source, Map<String, Object> document) {
        try {
            return map(source).equals(document);
        } catch (OpenSearchParseException | XContentParseException e) {
            return false; // Others have added something after the key.
        }
    }

    private static boolean isJson(BytesReference source) {
        int start = 0;
        while (start < source.length() && Character.isWhitespace(source.get(start))) {
            start++;
        }
        return start < source.length() && source.get(start) == '{';
    }

    private static Map<String, Object> map(BytesReference source) {
        if (isJson(source) == false) {
            return SourceLookup.sourceAsMap(source);
        }
        try (InputStream json = source.streamInput()) {
            return XContentHelper.convertToMap(JsonXContent.jsonXContent, json, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Top-level keys only. */
    private static List<String> keys(BytesReference source) {
        List<String> keys = new ArrayList<>();
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.IGNORE_DEPRECATIONS, source.streamInput())) {
            parser.nextToken();
            while (parser.nextToken() == XContentParser.Token.FIELD_NAME) {
                keys.add(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return keys;
    }

    public static BytesReference json(Map<String, ?> object) {
        try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
            return BytesReference.bytes(builder.map(object));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
