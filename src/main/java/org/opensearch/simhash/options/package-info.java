/* SPDX-License-Identifier: Apache-2.0 */
/** What people type into options: read in one way, refused with the option, the rule and the value. */
package org.opensearch.simhash.options;
