/* SPDX-License-Identifier: Apache-2.0 */
/** What the requests of several actions share. */
package org.opensearch.simhash.request;
