/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

sealed interface Content permits Block, TextRun {}
