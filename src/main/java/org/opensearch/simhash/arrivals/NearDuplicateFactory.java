/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.cluster.service.ClusterApplierService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.arrivals.decision.DuplicateAction;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.scope.PairFields;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.VerifyOptions;
import org.opensearch.transport.RemoteClusterAware;

/** Builds the processor {@code near_duplicate} from its options. Refuses unknown and invalid ones. */
public record NearDuplicateFactory(NearDuplicates services) implements Processor.Factory {

    private static final String TYPE = NearDuplicateProcessor.TYPE;
    private static final String SKETCH = "sketch";
    private static final String MAX_DISTANCE = "max_distance";
    private static final String MIN_SIMILARITY = "min_similarity";
    private static final String VERIFY = "verify";
    private static final String MAX_OWN_WORDS = "max_own_words";
    private static final String SHORT_TEXTS = "short_texts";
    private static final String SAME = "same";
    private static final String DIFFER = "differ";
    private static final String WITHIN = "within";
    private static final String GROUPS = "groups";
    private static final Set<String> OPTIONS = Set.of(new String[] {
        "sketch", "field", "index", "max_distance", "min_similarity", "min_words",
        "min_share", "max_document_share", "verify", "max_own_words", "short_texts", "same",
        "differ", "within", "groups", "action", "target_field"
    });

    /** Each bulk resolves them. */
    private static final int MOST_INDICES = 100;

    /** Which documents get the id of a group. */
    private enum Groups {
        NONE,
        ALL
    }

    @Override
    public NearDuplicateProcessor create(
            Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
        return ProcessorOptions.read(TYPE, tag, options, OPTIONS, typed -> {
            DuplicateRule rule = rule(typed);
            requireIndexNames(rule.indices());
            if (rule.action() == DuplicateAction.DROP) {
                requireRefreshed(rule.indices());
            }
            requireFields(rule);
            services.use();
            return new NearDuplicateProcessor(tag, description, rule, services);
        });
    }

    private static DuplicateRule rule(ProcessorOptions options) {
        SketchKind kind = options.choice(SKETCH, SketchKind.class, SketchKind.SIMHASH);
        String field = options.field("field", kind.defaultObject());
        List<String> indices = indices(options.any("index"));
        Integer distance = options.wholeNumber(MAX_DISTANCE, null);
        SketchKind.SIMHASH.requireFor(MAX_DISTANCE, distance, kind);
        Double estimate = options.number(MIN_SIMILARITY, "must be a number between 0 and 1");
        SketchKind.MINHASH.requireFor(MIN_SIMILARITY, estimate, kind);
        DuplicateAction action = options.choice("action", DuplicateAction.class, DuplicateAction.TAG);
        // Whatever ends documents compares the texts by default.
        PassageRule passages = passages(options, kind);
        Map<String, Object> verify =
                VerifyOptions.typed(options.any(VERIFY), action != DuplicateAction.TAG && passages == null);
        if (passages != null) {
            if (verify != null) {
                throw new IllegalArgumentException(
                        "[verify] must stand without [sketch] passages, which compares texts by itself, got: both");
            }
            verify = Map.of(); // what passages are made of is read
        }
        Verification verification = verify == null ? null : VerifyOptions.fromTyped(verify);
        String targetField = apart(kind, field, verification, options.writableField("target_field", TYPE));
        Integer ownWords = onlyToEnd(MAX_OWN_WORDS, options.wholeNumber(MAX_OWN_WORDS, null), action);
        Object shortTexts = onlyToEnd(SHORT_TEXTS, options.any(SHORT_TEXTS), action);
        return new DuplicateRule(
                kind,
                field,
                indices,
                distance == null ? OptionalInt.empty() : OptionalInt.of(distance),
                estimate == null ? OptionalDouble.empty() : OptionalDouble.of(estimate),
                verification,
                verify != null && verify.containsKey(VerifyOptions.MIN_SIMILARITY),
                passages,
                action,
                targetField,
                EndRule.maxOwnWords(ownWords),
                shortTexts != null && ProcessorOptions.flag(SHORT_TEXTS, shortTexts),
                apart(PairConditions.of(options.any(SAME), options.any(DIFFER), options.any(WITHIN)), targetField),
                options.choice(GROUPS, Groups.class, Groups.NONE) == Groups.ALL);
    }

    /** @param typed null if it is not given */
    private static <T> T onlyToEnd(String option, T typed, DuplicateAction action) {
        if (typed != null && action == DuplicateAction.TAG) {
            throw new IllegalArgumentException(
                    "[" + option + "] is only allowed with [action] drop or fail, got: " + typed);
        }
        return typed;
    }

    /** Null if passages are not compared. */
    private static PassageRule passages(ProcessorOptions options, SketchKind kind) {
        Integer words = options.wholeNumber(PassageRule.MIN_WORDS, null);
        SketchKind.PASSAGES.requireFor(PassageRule.MIN_WORDS, words, kind);
        Double share = options.number(PassageRule.MIN_SHARE, "must be a number between 0 and 1");
        SketchKind.PASSAGES.requireFor(PassageRule.MIN_SHARE, share, kind);
        Double maxShare = options.number(PassageRule.MAX_DOCUMENT_SHARE, "must be a number between 0 and 1");
        SketchKind.PASSAGES.requireFor(PassageRule.MAX_DOCUMENT_SHARE, maxShare, kind);
        return kind == SketchKind.PASSAGES ? PassageRule.ofPairs(words, share, maxShare) : null;
    }

    /** A tag overwrites its target, and cannot be in a number or a text. So the fingerprint and the text must be elsewhere. */
    private static String apart(SketchKind kind, String field, Verification verification, String targetField) {
        boolean around = ProcessorOptions.isWithin(field, targetField);
        Stream<String> parts = switch (kind) {
            case SIMHASH -> FingerprintFields.all();
            case MINHASH -> FingerprintFields.allOfSketch();
            case PASSAGES -> Stream.of(FingerprintFields.TERMS, FingerprintFields.SCHEME);
        };
        boolean inside = Stream.concat(parts, FingerprintFields.KEPT.stream())
                .anyMatch(part -> ProcessorOptions.isWithin(targetField, field + "." + part));
        if (around || inside) {
            throw new IllegalArgumentException(
                    "[target_field] must be apart from the fingerprint in [" + field + "], got: " + targetField);
        }
        String text = verification == null ? null : verification.field();
        if (text != null
                && (ProcessorOptions.isWithin(text, targetField) || ProcessorOptions.isWithin(targetField, text))) {
            throw new IllegalArgumentException("[target_field] must be apart from the text in [" + text
                    + "] that [verify] compares, got: " + targetField);
        }
        return targetField;
    }

    private static PairConditions apart(PairConditions conditions, String targetField) {
        for (String name : conditions.fields()) {
            if (ProcessorOptions.isWithin(name, targetField) || ProcessorOptions.isWithin(targetField, name)) {
                throw new IllegalArgumentException("[target_field] must be apart from the field [" + name + "] of ["
                        + conditions.optionOf(name) + "], got: " + targetField);
            }
        }
        return conditions;
    }

    /** Checks the name of an index, alias or data stream, which need not exist. Resolves date math at the current time. */
    private void requireIndexName(String name) {
        if (name.startsWith("<") && services.isStarted() == false) {
            return;
        }
        String resolved = name.startsWith("<") ? services.cluster().resolver().resolveDateMathExpression(name) : name;
        MetadataCreateIndexService.validateIndexOrAliasName(
                resolved, (any, rule) -> new IllegalArgumentException("[index] " + rule + ", got: " + name));
    }

    /** Checks names as a search does: patterns are not names, and an exclusion after a pattern loses its sign. */
    private void requireIndexNames(List<String> names) {
        boolean excludes = false;
        for (String name : names) {
            boolean isPattern = name.indexOf('*') >= 0;
            if (isPattern == false && name.equals(Metadata.ALL) == false) {
                requireIndexName(excludes && name.startsWith("-") ? name.substring(1) : name);
            }
            excludes |= isPattern;
        }
    }

    private static List<String> indices(Object value) {
        if (value == null) {
            return List.of();
        }
        List<?> typed = value instanceof String text
                ? List.of(text.split(",", -1))
                : value instanceof List<?> list ? list : List.of();
        TypedNumber.requireAtMost("[index]", MOST_INDICES, "names", typed.size());
        List<String> names = new ArrayList<>();
        for (Object one : typed) {
            if (one instanceof String name && name.isBlank() == false) {
                names.add(name.strip());
                if (name.startsWith("<") == false
                        && name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0) {
                    throw new IllegalArgumentException("[index] must be of this cluster, got: " + name);
                }
            }
        }
        if (typed.isEmpty() || names.size() < typed.size()) {
            throw new IllegalArgumentException("[index] must be an index, an alias or a list of them, got: " + value);
        }
        return names;
    }

    /**
     * Refuses {@code drop} with an index that is never refreshed, because searches do not show its new documents. Checked when a pipeline
     * is put, but not when a node applies a cluster state: a later change of an index must not break a pipeline.
     */
    private void requireRefreshed(List<String> indices) {
        for (IndexMetadata index : existing(indices)) {
            ClusterSettings cluster = services.cluster().service().getClusterSettings();
            if (NearDuplicateSettings.refreshInterval(index, cluster).millis() < 0) {
                throw new IllegalArgumentException("[action] [drop] needs an [index] that is refreshed, but ["
                        + index.getIndex().getName() + "] has [index.refresh_interval] -1");
            }
        }
    }

    /**
     * Refuses conditions that an index cannot decide, and one that would lose the ids of groups. An index without a mapping has no
     * documents. Checked as above.
     */
    private void requireFields(DuplicateRule rule) {
        if (rule.conditions().isEmpty() && rule.givesGroups() == false) {
            return;
        }
        for (IndexMetadata index : existing(rule.indices())) {
            if (rule.givesGroups()) {
                LookupScopes.requireGroups(index.getIndex().getName(), new IndexMapping(index), rule.field());
            }
            PairFields fields = new PairFields(rule.conditions(), any -> index);
            fields.require(index.getIndex().getName());
            if (index.mapping() != null) {
                fields.requireMapped(index.getIndex().getName(), Map.of());
            }
        }
    }

    /** None while a node starts or applies a cluster state. */
    private List<IndexMetadata> existing(List<String> indices) {
        boolean isApplying =
                Thread.currentThread().getName().contains(ClusterApplierService.CLUSTER_UPDATE_THREAD_NAME);
        if (indices.isEmpty() || isApplying || services.isStarted() == false) {
            return List.of();
        }
        ClusterState state = services.cluster().service().state();
        String[] names = services.cluster()
                .resolver()
                .concreteIndexNames(state, IndicesOptions.lenientExpandOpen(), true, indices.toArray(String[]::new));
        return Stream.of(names).map(state.metadata()::index).toList();
    }
}
