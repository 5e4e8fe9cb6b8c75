/* SPDX-License-Identifier: Apache-2.0 */
/**
 * HTML to the text that is fingerprinted: {@link org.opensearch.simhash.fingerprint.html.HtmlExtraction} is the entry.
 *
 * <p>{@code MarkupReader} reads tags and texts; {@code PlainText} writes all texts, a line per block; {@code PageReader}
 * builds a tree of {@code Block}s with {@code TextRun}s as leaves, in which {@code MainContent} finds the article, after
 * {@code Boilerplate} has said which blocks are none of it. {@code Tags} and {@code Hints} are their vocabularies.
 *
 * <p>Time and memory grow in proportion to the input, whatever the markup, and nothing recurses deeper than
 * {@code PageReader.MAX_DEPTH}. Results depend on the input alone: they are part of the fingerprint's scheme.
 */
package org.opensearch.simhash.fingerprint.html;
