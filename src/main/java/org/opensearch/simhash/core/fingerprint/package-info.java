/* SPDX-License-Identifier: Apache-2.0 */
/** From text to tokens, features, fingerprint and segments. Plain Java and Lucene's analysis API, without OpenSearch. */
package org.opensearch.simhash.core.fingerprint;
