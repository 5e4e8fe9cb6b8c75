/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/** Something in a {@link History}; {@code toString} says what. Times are microseconds of the client's clock. */
interface Event {

    long sent();

    long answered();
}
