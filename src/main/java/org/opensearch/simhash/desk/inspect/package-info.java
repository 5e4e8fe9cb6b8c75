/* SPDX-License-Identifier: Apache-2.0 */
/** Shows what texts become: the fingerprint of a text, two texts compared, features that documents share. */
package org.opensearch.simhash.desk.inspect;
