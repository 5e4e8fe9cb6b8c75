/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Folding;

/**
 * A document's text as it is compared.
 *
 * @param prepared normalised, without markup; blank where there is none
 */
record DocumentText(String prepared, Folding folding, Analyzer analyzer) {

    boolean isBlank() {
        return prepared.isBlank();
    }
}
