/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A bulk's documents from arrival to decision. {@code ArrivedDocuments} divides them into rounds. A {@code Round} runs
 * its steps. {@code RoundsUnderWay} knows the undecided ones.
 */
package org.opensearch.simhash.nearduplicate.round;
