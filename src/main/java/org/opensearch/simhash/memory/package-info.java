/* SPDX-License-Identifier: Apache-2.0 */
/** Bytes are accounted for before they are taken, and given back whatever happens. */
package org.opensearch.simhash.memory;
