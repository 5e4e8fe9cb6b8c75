/* SPDX-License-Identifier: Apache-2.0 */
/** The language of a text, as people write it or as a model tells it, and the analyzer that suits it. */
package org.opensearch.simhash.core.language;
