/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The review page in a real browser: the machine's own Chromium, without a window, asked over its debugging protocol. Only with the
 * profile {@code browser}: {@code ./mvnw -Pbrowser verify}.
 */
package org.opensearch.simhash.browser;
