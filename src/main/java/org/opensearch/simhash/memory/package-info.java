/* SPDX-License-Identifier: Apache-2.0 */
/** Accounting of bytes: taken before allocation, given back in every case. */
package org.opensearch.simhash.memory;
