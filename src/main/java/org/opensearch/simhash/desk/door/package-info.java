/* SPDX-License-Identifier: Apache-2.0 */
/** The pages: the front door, on which each request of the plugin is made, shown and sent; a calibration; the groups of a job. */
package org.opensearch.simhash.desk.door;
