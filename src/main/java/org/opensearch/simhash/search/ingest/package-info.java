/* SPDX-License-Identifier: Apache-2.0 */
/** Documents on their way into the index: options to a recipe, document to texts, texts to fingerprint fields. */
package org.opensearch.simhash.search.ingest;
