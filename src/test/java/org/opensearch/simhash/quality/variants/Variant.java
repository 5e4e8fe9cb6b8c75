/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

/**
 * A text and a variant of it.
 *
 * @param language ISO 639-1 code
 * @param kind under which the report counts it
 * @param form which of the kind this is
 */
record Variant(String language, String kind, String form, String text, String variant, Claim claim) {

    boolean isAnotherText() {
        return text.equals(variant) == false;
    }
}
