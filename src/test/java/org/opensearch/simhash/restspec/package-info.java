/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The specification of all requests in OpenSearch's JSON form, and its tests in YAML, in the resources of the tests below
 * {@code rest-api-spec}. {@code core} has the few requests of OpenSearch that the tests need.
 */
package org.opensearch.simhash.restspec;
