/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Accounting of heap bytes. A parameter {@code memory} receives bytes before they are allocated, and may refuse them
 * with an exception. Negative bytes are given back. All bytes are given back in every case.
 */
package org.opensearch.simhash.core.memory;
