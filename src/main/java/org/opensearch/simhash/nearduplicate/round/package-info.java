/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From arrival to decision. {@code ArrivedDocuments} divides a bulk into rounds. A {@code Round} runs its steps.
 * {@code RoundsUnderWay} knows the undecided ones.
 */
package org.opensearch.simhash.nearduplicate.round;
