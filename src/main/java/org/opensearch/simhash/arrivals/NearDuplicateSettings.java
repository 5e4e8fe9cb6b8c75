/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.List;
import org.opensearch.action.search.TransportSearchAction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.indices.IndicesService;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.peers.PeerLookup.PeerOptions;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.query.Threshold;

/** The dynamic settings {@code plugins.simhash.near_duplicate.*}. A change applies to the next document. Thread-safe. */
public final class NearDuplicateSettings {

    private static final String PREFIX = "plugins.simhash.near_duplicate.";

    /** For pipelines without {@code max_distance}. Default: {@link MaxDistance#byDefault}. */
    public static final Setting<Integer> MAX_DISTANCE = Setting.intSetting(
            PREFIX + "max_distance", MaxDistance.DEFAULT, 0, Long.SIZE, Property.NodeScope, Property.Dynamic);

    /** For pipelines whose {@code verify} has none, or that compare sketches without {@code verify}. */
    public static final Setting<Double> MIN_SIMILARITY = new Setting<>(
            PREFIX + "min_similarity",
            Double.toString(Verification.DEFAULT_MIN_SIMILARITY),
            NearDuplicateSettings::similarity,
            Property.NodeScope,
            Property.Dynamic);

    /** The time in the window. Must exceed the refresh interval of the indices. */
    public static final Setting<TimeValue> WINDOW_TIME = Setting.timeSetting(
            PREFIX + "window.time",
            TimeValue.timeValueSeconds(60),
            TimeValue.ZERO,
            TimeValue.timeValueHours(1),
            Property.NodeScope,
            Property.Dynamic);

    public static final Setting<Integer> WINDOW_SIZE =
            Setting.intSetting(PREFIX + "window.size", 1_000_000, 0, 20_000_000, Property.NodeScope, Property.Dynamic);

    /** The windows to compare with. */
    enum WindowNodes {
        ALL,
        LOCAL
    }

    /** If a node does not answer in time. */
    enum Unanswered {
        FAIL,
        /** Documents are compared with the answers of the others. */
        LEAVE_OUT
    }

    public static final Setting<WindowNodes> WINDOW_NODES = choice("window.nodes", "all", WindowNodes.class);

    public static final Setting<Unanswered> WINDOW_UNANSWERED = choice("window.unanswered", "fail", Unanswered.class);

    /** The timeout of a batch's lookups. After it the documents fail. */
    public static final Setting<TimeValue> LOOKUP_TIMEOUT = Setting.timeSetting(
            PREFIX + "lookup_timeout",
            TimeValue.timeValueSeconds(30),
            TimeValue.timeValueMillis(10),
            Property.NodeScope,
            Property.Dynamic);

    private volatile Settings current = Settings.EMPTY;

    private static <T extends Enum<T>> Setting<T> choice(String name, String unlessSet, Class<T> type) {
        return new Setting<>(
                PREFIX + name,
                unlessSet,
                typed -> Choice.of(PREFIX + name, type, typed),
                Property.NodeScope,
                Property.Dynamic);
    }

    public static List<Setting<?>> all() {
        return List.of(
                MAX_DISTANCE,
                MIN_SIMILARITY,
                WINDOW_TIME,
                WINDOW_SIZE,
                WINDOW_NODES,
                WINDOW_UNANSWERED,
                LOOKUP_TIMEOUT);
    }

    /** That of the index, else that of the cluster. Negative: searches never show its new documents. */
    public static TimeValue refreshInterval(IndexMetadata index, ClusterSettings cluster) {
        return IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.exists(index.getSettings())
                ? IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.get(index.getSettings())
                : cluster.get(IndicesService.CLUSTER_DEFAULT_INDEX_REFRESH_INTERVAL_SETTING);
    }

    /** Takes the values of the node, and follows changes of the cluster's. */
    void follow(ClusterSettings cluster, Settings node, Runnable onChange) {
        cluster.addSettingsUpdateConsumer(
                // Includes the values of the node. An exception here removes the node from the cluster.
                changed -> {
                    current = changed;
                    onChange.run();
                },
                all());
        current = node;
        onChange.run();
    }

    /** A bounded setting of OpenSearch would accept NaN. */
    private static double similarity(String typed) {
        try {
            double similarity = TypedNumber.parse(typed).doubleValue();
            if (0 <= similarity && similarity <= 1) {
                return similarity;
            }
        } catch (NumberFormatException noNumber) {
            // The error follows.
        }
        throw new IllegalArgumentException(
                "[" + PREFIX + "min_similarity] must be between 0 and 1, got: " + TypedNumber.shown(typed));
    }

    /** The current criteria for a rule. A setting of the cluster cannot widen what documents end for. */
    Criteria criteria(DuplicateRule rule) {
        Verification own = rule.ownVerification();
        Settings settings = current;
        int unlessOwn = MAX_DISTANCE.exists(settings) ? MAX_DISTANCE.get(settings) : MaxDistance.byDefault(own != null);
        if (rule.mayEnd()) {
            unlessOwn = Math.min(unlessOwn, EndRule.mostBits(Long.SIZE, true, true));
        }
        Verification verification = verification(rule);
        double estimate =
                verification == null ? minSimilarity(rule) : Threshold.Similarity.byDefault(verification, false);
        return new Criteria(
                rule.kind(),
                rule.field(),
                rule.ownDistance().orElse(unlessOwn),
                rule.ownEstimate().orElse(estimate),
                verification,
                rule.passages(),
                rule.conditions());
    }

    private Verification verification(DuplicateRule rule) {
        Verification own = rule.ownVerification();
        return own == null || rule.ownSimilarity() || own.measure() == Measure.FACTS
                ? own
                : new Verification(
                        own.field(), own.measure(), own.shingleSize(), minSimilarity(rule), own.strictCharacters());
    }

    private double minSimilarity(DuplicateRule rule) {
        double similarity = MIN_SIMILARITY.get(current);
        return rule.mayEnd() ? Math.max(similarity, EndRule.LEAST_SIMILARITY) : similarity;
    }

    TimeValue lookupTimeout() {
        return LOOKUP_TIMEOUT.get(current);
    }

    /** The time after which a search is cancelled: the lookup's timeout, or less if the cluster says so. */
    TimeValue cancelledAfter(ClusterSettings cluster) {
        TimeValue searchTimeout = cluster.get(TransportSearchAction.SEARCH_CANCEL_AFTER_TIME_INTERVAL_SETTING);
        TimeValue lookupTimeout = lookupTimeout();
        return searchTimeout.nanos() > 0 && searchTimeout.compareTo(lookupTimeout) < 0 ? searchTimeout : lookupTimeout;
    }

    PeerOptions peerOptions() {
        Settings settings = current;
        return new PeerOptions(
                WINDOW_NODES.get(settings) == WindowNodes.ALL,
                WINDOW_UNANSWERED.get(settings) == Unanswered.LEAVE_OUT,
                LOOKUP_TIMEOUT.get(settings));
    }

    ArrivalWindow.Bounds windowBounds() {
        Settings settings = current;
        return new ArrivalWindow.Bounds(WINDOW_TIME.get(settings).millis(), WINDOW_SIZE.get(settings));
    }
}
