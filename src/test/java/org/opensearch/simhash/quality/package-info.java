/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How good the results are, measured on labelled real texts that lie outside the project, in the folder that the system
 * property {@code simhash.data} names, by default {@code ../shared/data} beside the project. Where there is no such folder
 * the runs say so and measure nothing.
 */
package org.opensearch.simhash.quality;
