/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What pipelines do not see of a request. Action filters record the changes of a bulk, mark simulations, create
 * documents in append-only indices, and sort the items of an answer.
 */
package org.opensearch.simhash.nearduplicate.request;
