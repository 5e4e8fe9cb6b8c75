/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Variants: the same text with other quotes, in another spelling or normal form, with a footer, read badly. How far each kind
 * is from the text, in every language that has it, and what is claimed of it.
 */
package org.opensearch.simhash.quality.variants;
