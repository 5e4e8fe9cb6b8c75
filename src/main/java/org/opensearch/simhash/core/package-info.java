/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Texts to fingerprints, sketches and passages; texts compared; millions of fingerprints joined. Plain Java and Lucene's
 * analysis: this part compiles and is tested without a server.
 *
 * <pre>
 * html → text → fingerprint → sketch, passages      what is stored of a text
 *                    ↓
 *        join → links → groups                      what is near, among millions
 *        verify                                     two texts to a similarity
 *        sample → estimate                          a part of an index to numbers about the whole
 * image                                             a file to a hash
 * memory                                            bytes are told before they are taken
 * </pre>
 *
 * <p>Everywhere: {@code memory} is told bytes before they are taken, and may refuse them; {@code checkWanted} and
 * {@code checkCancelled} are called every few milliseconds, {@code progress} now and then, and may throw to end the work; a value
 * that is refused is an {@code IllegalArgumentException} with the option, the rule and the value.
 *
 * <p>The door of each package:
 *
 * <ul>
 *   <li>{@code fingerprint}: {@code Recipe} has the options, {@code Fingerprinter} applies them, {@code Fingerprint} is what comes
 *       out; {@code SegmentLayout} and {@code ProbePlan} say which segments are stored and looked up
 *   <li>{@code sketch}, {@code passages}: {@code Sketch}, {@code BandLayout}; {@code PassageLayout}, {@code CommonRuns}
 *   <li>{@code text}: {@code SourceTexts} of a document, {@code TextNormalizer}, {@code Folding}
 *   <li>{@code language}: {@code LanguageCode}, {@code LanguageDetector}, and the {@code LanguageAnalyzers} of a recipe
 *   <li>{@code facts}: {@code ContentWords} are the words of a short text that say something
 *   <li>{@code verify}: {@code Verification} says what is enough, {@code TextComparison} compares
 *   <li>{@code join}: {@code FingerprintRows} are filled, {@code NearJoin} links them, {@code NearGraph} and a {@code Linkage} make groups
 *   <li>{@code groups}: {@code GroupNames} keeps the ids of groups
 *   <li>{@code estimate}: {@code Sample} to {@code Estimates} and {@code Suggestion}
 *   <li>{@code image}: {@code ImageHash}; {@code html}: {@code HtmlExtraction}
 * </ul>
 */
package org.opensearch.simhash.core;
