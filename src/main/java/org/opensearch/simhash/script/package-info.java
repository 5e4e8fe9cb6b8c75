/* SPDX-License-Identifier: Apache-2.0 */
/** Scripts of the plugin's own language that change stored documents: where {@code check} mends and jobs untag. */
package org.opensearch.simhash.script;
