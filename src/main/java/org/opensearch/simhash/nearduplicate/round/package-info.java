/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The way of the documents of a bulk from arrival to decision: {@code ArrivedDocuments} makes rounds of them, a {@code Round} takes
 * its steps one after the other, {@code RoundsUnderWay} knows those that are not decided yet.
 */
package org.opensearch.simhash.nearduplicate.round;
