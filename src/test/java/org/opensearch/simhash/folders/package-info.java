/* SPDX-License-Identifier: Apache-2.0 */
/** Folders that tests and demo make, and who removes them. */
package org.opensearch.simhash.folders;
