/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The words of a short text: which of them say something, by short lists of a language's function words. Both ways to compare short
 * texts begin here: {@link org.opensearch.simhash.core.facts.ContentWords} is the analyzer of sketches that propose, and
 * {@code FactComparison} of {@code core.verify} decides. No OpenSearch here.
 */
package org.opensearch.simhash.core.facts;
