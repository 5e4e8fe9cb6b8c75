/* SPDX-License-Identifier: Apache-2.0 */
/** Shows people what their texts become: the fingerprint of a text, two texts compared, what all documents share. */
package org.opensearch.simhash.inspect;
