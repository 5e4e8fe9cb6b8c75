/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sets an index up: what {@code check} would tell to do is planned as steps, which are shown or done. {@link SetupAction} reads the
 * request, {@link SetupPlan} decides with {@link SampledTexts} (which text) and {@link Placement} (which pipeline where), and
 * {@link SetupRun} does it.
 */
package org.opensearch.simhash.desk.setup;
