/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.image.PerceptualHash;
import org.opensearch.simhash.search.SearchPart;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * A processor in the pipelines of a document.
 *
 * @param element path of the array of the {@code foreach} around it; else null
 * @param renamed the name that a later step gives to its target; else null
 */
public record Step(
        String pipeline,
        int position,
        String type,
        Map<String, Object> options,
        String element,
        boolean isConditional,
        String renamed) {

    private static final List<String> READING_OPTIONS =
            List.of("field", "fields", "source", "source_field", "copy_from");

    /** Types that write fingerprints or sketches of texts; {@code simhash} also takes ready hashes. */
    private static final Set<String> OF_TEXTS =
            Stream.of(SketchKind.values()).map(SketchKind::toString).collect(Collectors.toSet());

    /** Types that write their {@code field}. */
    private static final List<String> WRITING_TYPES = List.of("set", "append", "remove");

    /** Types that write fields that they do not name. */
    private static final List<String> OPAQUE_TYPES = List.of("json", "kv", "enrich", "dot_expander");

    boolean isWriter() {
        return OF_TEXTS.contains(type) || type.equals(SearchPart.IMAGE_HASH);
    }

    CheckedKind kind() {
        return CheckedKind.of(
                type,
                String.valueOf(
                        options.getOrDefault("hash_bits", PerceptualHash.usualLength(options.get("algorithm")))));
    }

    int length() {
        return kind().length();
    }

    /** Whether it makes a fingerprint or a sketch of texts. */
    public boolean readsTexts() {
        return OF_TEXTS.contains(type) && options.get("hash_field") == null;
    }

    /** Whether a scheme is, as that of this writer, of texts, of given hashes or of images. */
    boolean isOfItsKind(String scheme) {
        return readsTexts()
                ? Freshness.isNotOfText(scheme) == false
                : Freshness.isNotOfText(scheme) && Freshness.isGiven(scheme) == (options.get("hash_field") != null);
    }

    public boolean writes(String fingerprint) {
        return isWriter() && target().equals(fingerprint);
    }

    /** The name of the written fingerprint at the end of the pipeline. */
    public String target() {
        return renamed == null ? path(typedTarget()) : renamed;
    }

    String typedTarget() {
        return option("target_field", kind().defaultObject());
    }

    public int segments() {
        Object typed = options.get("segments");
        return typed == null ? kind().segments() : Integer.parseInt(typed.toString());
    }

    Step renamed(String target) {
        return new Step(pipeline, position, type, options, element, isConditional, target);
    }

    String path(String typed) {
        return element == null || ProcessorOptions.isWithin(typed, ProcessorOptions.ELEMENT) == false
                ? typed
                : element + typed.substring(ProcessorOptions.ELEMENT.length());
    }

    /** The paths in options: in each one, or a list. Those of an element that no {@code foreach} gives are left out. */
    Set<String> paths(Collection<String> names) {
        return names.stream()
                .map(options::get)
                .flatMap(typed -> typed instanceof List<?> list ? list.stream() : Stream.ofNullable(typed))
                .filter(String.class::isInstance)
                .map(typed -> path(unweighted((String) typed)))
                .filter(path -> path.startsWith("_ingest.") == false)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A field without the weight behind it. */
    public static String unweighted(String field) {
        int weight = field.lastIndexOf('^');
        return weight < 0 ? field : field.substring(0, weight);
    }

    public boolean isNearDuplicate() {
        return type.equals(NearDuplicateProcessor.TYPE);
    }

    /** Whether {@code near_duplicate} writes the fields of groups. */
    boolean givesGroups() {
        return isNearDuplicate() && option("groups", "none").equals("all");
    }

    public String nearDuplicateField() {
        return option("field", nearDuplicateKind().defaultObject());
    }

    CheckedKind nearDuplicateKind() {
        return CheckedKind.of(option("sketch", ""), "");
    }

    /** The option {@code index} of {@code near_duplicate}; empty without it. */
    List<String> comparedIndices() {
        Object typed = options.get("index");
        List<?> names = typed instanceof String text
                ? List.of(text.split(",", -1))
                : typed instanceof List<?> l ? l : List.of();
        return names.stream()
                .map(name -> String.valueOf(name).strip())
                .filter(name -> name.isEmpty() == false)
                .toList();
    }

    boolean writesFor(Step nearDuplicate) {
        return writes(nearDuplicate.nearDuplicateField()) && kind().isComparedAs(nearDuplicate.nearDuplicateKind());
    }

    /** The default if the option is missing or no string. */
    String option(String name, String byDefault) {
        return options.get(name) instanceof String given ? given : byDefault;
    }

    /** Whether a step that is no writer reads a fingerprint: by an option, a template or a script. */
    boolean reads(String fingerprint) {
        if (isWriter()) {
            return false;
        }
        if (isNearDuplicate()) {
            return nearDuplicateField().equals(fingerprint);
        }
        String name = Pattern.quote(fingerprint);
        Pattern reading = Pattern.compile(
                "\\{" + name + "[.}]|ctx\\??\\." + name + "\\b|ctx(\\.get\\(|\\[)['\"]" + name + "['\"]");
        List<String> texts = new ArrayList<>();
        options.forEach((option, value) -> {
            boolean isWritten = option.equals("field") && WRITING_TYPES.contains(type);
            boolean isPath = READING_OPTIONS.contains(option) && isWritten == false && type.equals("script") == false;
            collect(value, text -> {
                boolean isRead = isPath
                        ? (text + ".").startsWith(fingerprint + ".")
                        : reading.matcher(text).find();
                if (isRead) {
                    texts.add(text);
                }
            });
        });
        return texts.isEmpty() == false;
    }

    /** Whether an option, a template or a script has the name of a field, or the step makes an object of this name. */
    boolean names(String field) {
        int dot = field.lastIndexOf('.');
        String last = field.substring(dot + 1);
        boolean[] isNamed = {type.equals(dot < 0 ? field : field.substring(0, field.indexOf('.')))};
        collect(options, text -> isNamed[0] |= text.contains(last));
        return isNamed[0] || OPAQUE_TYPES.contains(type);
    }

    private static void collect(Object value, Consumer<String> sink) {
        if (value instanceof String text) {
            sink.accept(text);
        } else if (value instanceof List<?> list) {
            list.forEach(inner -> collect(inner, sink));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(inner -> collect(inner, sink));
        }
    }
}
