/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.ending;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.Freshness;

/**
 * One original, and documents that may end for it. Looks at both in that moment. Words that a document has and its original lacks are
 * looked for in what fingerprints are made of, in what {@code verify} compares, and in what {@code html: main} leaves out of both.
 *
 * <p>Around an article, links count only where they are more words than the article: menus differ from site to site. Everything else
 * around it counts as the article does; around a short one, which says little of the page, fewer words are too many.
 *
 * <p>What was read of the original is kept until {@link #close}. One thread.
 */
public final class Ending implements AutoCloseable {

    /**
     * A document that is looked at.
     *
     * @param compared the text in the field of {@code verify}; null if no field is named
     */
    public record Looked(
            DocumentName name,
            Map<String, Object> source,
            Freshness.State state,
            Fingerprinter maker,
            String compared) {

        public Looked(
                String index,
                String id,
                Map<String, Object> source,
                Freshness.State state,
                Fingerprinter maker,
                String compared) {
            this(new DocumentName(index, id, null), source, state, maker, compared);
        }

        private String made() {
            return DocumentTexts.storedText(maker.recipe(), source);
        }

        private boolean isOfText() {
            return state == Freshness.State.FRESH || state == Freshness.State.SHORT_TEXT;
        }
    }

    /** What is compared of two documents: the texts, then whole pages. */
    private enum Part {
        MADE,
        COMPARED,
        PAGE_OF_MADE,
        PAGE_OF_COMPARED
    }

    /** In words. */
    private static final int LONG_ARTICLE = 60;

    private final EndRule rule;
    private final Looked original;
    private final Account memory;
    private final Runnable checkCancelled;

    private final Map<Part, OwnWords> words = new EnumMap<>(Part.class);

    /** @param checkCancelled may throw to end the work */
    public Ending(EndRule rule, Looked original, LongConsumer memory, Runnable checkCancelled) {
        this.rule = rule;
        this.original = original;
        this.memory = new Account(memory);
        this.checkCancelled = checkCancelled;
    }

    /**
     * What keeps a document from ending; null if nothing does. Whether the texts are similar is asked elsewhere.
     *
     * @param comparesPrints whether fingerprints of texts are compared, too, because nobody has done so
     */
    public Obstacle obstacle(Looked document, boolean comparesPrints) {
        boolean isElsewhere =
                document.name.isOneWith(original.name) && document.name.sameDocument(original.name) == false;
        Obstacle found = isElsewhere && rule.sameId() == false ? Obstacle.SAME_ID : rule.ofDocument(document.state);
        found = found == null ? rule.ofDocument(original.state) : found;
        if (found != null) {
            return found;
        }
        boolean isOfText = document.isOfText() && original.isOfText();
        boolean isVerified = rule.criteria().verification() != null;
        if (isOfText == false && isVerified == false) {
            return document.state == original.state ? ofPrints(document, false) : Obstacle.NOT_OF_TEXT;
        }
        found = isVerified || comparesPrints == false ? null : ofPrints(document, true);
        return found == null && hasOwnText(document) ? Obstacle.OWN_TEXT : found;
    }

    /** As they are stored in this moment. */
    private Obstacle ofPrints(Looked document, boolean isOfText) {
        try {
            ArrivedPrint print = print(document);
            ArrivedPrint other = print(original);
            // Bits alone may be rounded.
            boolean areThere = print != null && other != null && (isOfText || (hasHash(document) && hasHash(original)));
            int distance = areThere ? print.distance(other) : ArrivedPrint.INCOMPARABLE;
            if (distance == ArrivedPrint.INCOMPARABLE) {
                return isOfText ? Obstacle.FAR : Obstacle.STALE;
            }
            int most = print.maxDistance(rule.criteria());
            if (print instanceof ArrivedFingerprint hash) {
                most = Math.min(most, EndRule.mostBits(hash.length(), false, isOfText));
            }
            return distance > most ? Obstacle.FAR : null;
        } catch (IllegalArgumentException e) {
            return Obstacle.STALE; // another program wrote it
        }
    }

    private boolean hasHash(Looked document) {
        String hash = rule.criteria().field() + "." + FingerprintFields.HASH;
        return DocumentValues.firstAt(hash, document.source).isPresent();
    }

    private ArrivedPrint print(Looked document) {
        return ArrivedPrint.read(
                rule.criteria().kind(), document.source, rule.criteria().field());
    }

    private boolean hasOwnText(Looked document) {
        if (rule.maxOwnWords() == OwnWords.UNLIMITED) {
            return false;
        }
        Verification verification = rule.criteria().verification();
        String field = verification == null ? null : verification.field();
        Stream<String> made = document.maker.recipe().fields().stream().map(Recipe.WeightedField::path);
        boolean isAnother = field != null && made.toList().equals(List.of(field)) == false;
        return isOwn(document, document.made(), original.made(), Part.MADE, Part.PAGE_OF_MADE)
                || (isAnother
                        && isOwn(document, document.compared, original.compared, Part.COMPARED, Part.PAGE_OF_COMPARED));
    }

    private boolean isOwn(Looked document, String text, String ofOriginal, Part part, Part page) {
        Fingerprinter maker = document.maker;
        if (Objects.equals(text, ofOriginal) && maker.recipe().equals(original.maker.recipe())) {
            return false; // as in most floods of duplicates
        }
        String own = text == null ? "" : text;
        String others = ofOriginal == null ? "" : ofOriginal;
        try (Account account = new Account(memory)) {
            String prepared = maker.prepare(own, account);
            if (run(part, prepared, () -> original.maker.prepare(others, memory)) > rule.maxOwnWords()) {
                return true;
            }
            if (maker.recipe().html() != HtmlExtraction.MAIN) {
                return false;
            }
            Supplier<String> whole = () -> original.maker.page(others, true, memory);
            int article = OwnWords.longestRun(prepared, "", account, checkCancelled); // all its words
            long most = (long) rule.maxOwnWords() * Math.min(LONG_ARTICLE, article) / LONG_ARTICLE;
            return run(page, maker.page(own, false, account), whole) > most
                    || run(page, maker.page(own, true, account), whole) > Math.max(rule.maxOwnWords(), article);
        }
    }

    private int run(Part part, String text, Supplier<String> ofOriginal) {
        return words.computeIfAbsent(part, any -> new OwnWords(ofOriginal.get(), memory, checkCancelled))
                .longestRunOf(text, checkCancelled);
    }

    @Override
    public void close() {
        words.values().forEach(OwnWords::close);
        memory.close();
    }
}
