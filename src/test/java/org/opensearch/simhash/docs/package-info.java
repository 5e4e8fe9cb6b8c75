/* SPDX-License-Identifier: Apache-2.0 */
/** Compares the tables of options in docs/ with the options that the code reads. */
package org.opensearch.simhash.docs;
