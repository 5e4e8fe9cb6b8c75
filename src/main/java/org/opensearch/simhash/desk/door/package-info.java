/* SPDX-License-Identifier: Apache-2.0 */
/** The front door: a page on which each request of the plugin is made, shown and sent; and that of a calibration. */
package org.opensearch.simhash.desk.door;
