/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Resolves names. An index, alias, data stream or pattern becomes indices, searches and document names, in one cluster
 * state. Knows no other room.
 */
package org.opensearch.simhash.arrivals.scope;
