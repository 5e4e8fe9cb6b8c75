/* SPDX-License-Identifier: Apache-2.0 */

/** The ids of groups, which outlive their survivors. */
package org.opensearch.simhash.core.groups;
