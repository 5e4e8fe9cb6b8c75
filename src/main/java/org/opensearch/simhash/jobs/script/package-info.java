/* SPDX-License-Identifier: Apache-2.0 */
/** The plugin's own script language, by which {@code check} mends and jobs untag stored documents. */
package org.opensearch.simhash.jobs.script;
