/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the request knows and pipelines are not shown: action filters note what a bulk does to documents besides, have documents
 * created in append-only indices, mark simulations, and put the items of an answer into order.
 */
package org.opensearch.simhash.nearduplicate.request;
