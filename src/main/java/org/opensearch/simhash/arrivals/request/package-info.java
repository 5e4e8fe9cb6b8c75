/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What pipelines do not see of a request. Action filters record the changes of a bulk, mark simulations, adapt bulks to
 * append-only indices, and sort answers.
 */
package org.opensearch.simhash.arrivals.request;
