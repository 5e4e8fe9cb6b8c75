/* SPDX-License-Identifier: Apache-2.0 */
/**
 * HTML to the text that is fingerprinted: {@link org.opensearch.simhash.core.html.HtmlExtraction} is the entry.
 *
 * <p>{@code MarkupReader} reads tags and texts. {@code PlainText} writes all texts, one line per block.
 * {@code PageReader} builds a tree of {@code Block}s with {@code TextRun}s as leaves. {@code Boilerplate} excludes
 * blocks and {@code MainContent} finds the article. {@code Tags} and {@code Hints} are the vocabularies.
 *
 * <p>Time and memory are linear in the input, and recursion is limited to {@code PageReader.MAX_DEPTH}. Results depend
 * on the input alone, as the scheme requires.
 */
package org.opensearch.simhash.core.html;
