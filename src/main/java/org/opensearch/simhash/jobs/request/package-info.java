/* SPDX-License-Identifier: Apache-2.0 */
/** Common parts of requests. */
package org.opensearch.simhash.jobs.request;
