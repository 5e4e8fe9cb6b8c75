/* SPDX-License-Identifier: Apache-2.0 */
/** Reads typed options in one way, and refuses them with the option, the rule and the value. */
package org.opensearch.simhash.search.options;
