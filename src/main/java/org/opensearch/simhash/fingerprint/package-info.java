/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The mathematics: text to tokens to features to a fingerprint to segments. Plain Java and Lucene's analysis API; nothing of
 * OpenSearch is known here.
 */
package org.opensearch.simhash.fingerprint;
