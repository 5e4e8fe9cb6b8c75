/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cn.smart.SmartChineseAnalyzer;
import org.opensearch.index.analysis.AnalysisRegistry;
import org.opensearch.index.analysis.CustomAnalyzer;
import org.opensearch.index.analysis.NameOrDefinition;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.language.LanguageDetector;
import org.opensearch.simhash.search.ingest.InlineAnalyzer.Part;

/**
 * The analyzers of this node: those of OpenSearch and plugins by name, always {@code smartcn}, and
 * inline ones, defined as in the analyze API. Thread-safe.
 */
public final class NodeAnalyzers {

    private static final String STANDARD = "standard";
    private static final String SMARTCN = "smartcn";
    private static final String TOKENIZER = "tokenizer";
    private static final String FILTER = "filter";
    private static final String CHAR_FILTER = "char_filter";

    /** Each token goes through all of them. */
    private static final int MOST_PARTS = 100;

    private final AnalysisRegistry registry;
    private final String nodeName;

    private final Analyzer standard = new StandardWordAnalyzer();

    /** Shared: its dictionaries are large. */
    private final Analyzer smartcn = new SmartChineseAnalyzer();

    private final LanguageDetector languageDetector = new LanguageDetector();

    public NodeAnalyzers(AnalysisRegistry registry, String nodeName) {
        this.registry = registry;
        this.nodeName = nodeName;
    }

    public LanguageAnalyzers of(Recipe recipe) {
        if (ContentWords.NAME.equals(recipe.analyzer())) {
            return ContentWords.ANALYZERS;
        }
        Map<String, Analyzer> byLanguage = new HashMap<>();
        recipe.analyzers()
                .forEach((language, analyzer) -> byLanguage.put(language, analyzer("analyzers." + language, analyzer)));
        return new LanguageAnalyzers(
                analyzer("analyzer", recipe.analyzer()),
                Map.copyOf(byLanguage),
                recipe.languageDetection() ? languageDetector : null);
    }

    private Analyzer analyzer(String option, Object nameOrDefinition) {
        try {
            return switch (nameOrDefinition) {
                case String name -> named(option, name);
                case Map<?, ?> definition -> inline(option, definition);
                default ->
                    throw new IllegalArgumentException("[" + option
                            + "] must be the name of an analyzer or an object with a tokenizer, got: "
                            + shown(nameOrDefinition));
            };
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "[" + option + "] cannot be built on node [" + nodeName + "]: " + e.getMessage(), e);
        }
    }

    private Analyzer named(String option, String name) throws IOException {
        Analyzer analyzer = switch (name) {
            case STANDARD -> standard;
            case SMARTCN -> smartcn;
            default -> registry.getAnalyzer(name);
        };
        if (analyzer == null) {
            throw new IllegalArgumentException("[" + option + "] must be an analyzer that node [" + nodeName
                    + "] knows, got: " + TypedNumber.shown(name));
        }
        return analyzer;
    }

    private Analyzer inline(String option, Map<?, ?> definition) throws IOException {
        Set<Object> unknown = new TreeSet<>(definition.keySet());
        unknown.removeAll(Set.of(TOKENIZER, FILTER, CHAR_FILTER));
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[" + option + "] may have [tokenizer], [filter] and [char_filter], got: " + shown(unknown));
        }
        if (definition.containsKey(TOKENIZER) == false) {
            throw new IllegalArgumentException("[" + option + "] must have a [tokenizer], got: " + shown(definition));
        }
        NameOrDefinition tokenizer = component(option, definition.get(TOKENIZER));
        List<NameOrDefinition> charFilters = components(option, definition.get(CHAR_FILTER));
        List<NameOrDefinition> filters = components(option, definition.get(FILTER));
        try {
            var built = (CustomAnalyzer) registry.buildCustomAnalyzer(null, false, tokenizer, charFilters, filters)
                    .analyzer();
            Analyzer analyzer = new InlineAnalyzer(
                    option,
                    part(tokenizer, built.tokenizerFactory()),
                    parts(charFilters, built.charFilters()),
                    parts(filters, built.tokenFilters()));
            requireUsable(analyzer);
            return analyzer;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "[" + option + "] cannot be built on node [" + nodeName + "]: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            // It would end the node. Without the cause, whose trace repeats one frame a thousand times.
            throw new IllegalArgumentException("[" + option + "] cannot be built on node [" + nodeName
                    + "]: a regular expression, or the like, nests too deep");
        }
    }

    /** Analyses a text, since some parts fail only then. */
    private static void requireUsable(Analyzer analyzer) throws IOException {
        try (TokenStream tokens = analyzer.tokenStream("text", "")) {
            tokens.reset();
            tokens.end();
        }
    }

    private static <T> List<Part<T>> parts(List<NameOrDefinition> components, T[] factories) {
        List<Part<T>> parts = new ArrayList<>();
        for (int i = 0; i < factories.length; i++) {
            parts.add(part(components.get(i), factories[i]));
        }
        return parts;
    }

    private static <T> Part<T> part(NameOrDefinition component, T factory) {
        if (component.definition == null) {
            return new Part<>(component.name, 0, factory);
        }
        String type = component.definition.get("type");
        return new Part<>(type, component.definition.get("replacement", "").length(), factory);
    }

    private static List<NameOrDefinition> components(String option, Object value) {
        List<NameOrDefinition> components = new ArrayList<>();
        switch (value) {
            case null -> {}
            case List<?> list -> {
                TypedNumber.requireAtMost("[" + option + "]", MOST_PARTS, "filters of a kind", list.size());
                list.forEach(element -> components.add(component(option, element)));
            }
            default -> components.add(component(option, value));
        }
        return components;
    }

    private static NameOrDefinition component(String option, Object value) {
        return switch (value) {
            case String name -> new NameOrDefinition(name);
            case Map<?, ?> definition -> defined(option, definition);
            case null -> throw notAComponent(option, "null");
            default -> throw notAComponent(option, value);
        };
    }

    /** A part with its settings, as OpenSearch reads them. */
    private static NameOrDefinition defined(String option, Map<?, ?> part) {
        Map<String, Object> settings = new HashMap<>();
        part.forEach((key, setting) -> settings.put(key.toString(), setting));
        try {
            return new NameOrDefinition(settings);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "[" + option + "] parts must have settings that are values or lists of these, got: "
                            + shown(settings),
                    e);
        }
    }

    private static IllegalArgumentException notAComponent(String option, Object value) {
        return new IllegalArgumentException(
                "[" + option + "] parts must be names or objects with a [type], got: " + shown(value));
    }

    private static String shown(Object value) {
        return TypedNumber.shown(String.valueOf(value));
    }
}
