/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

/** The recipes of sketches: a name for what a node has one of, beside the recipes of fingerprints. */
public record SketchRecipes(PipelineRecipes recipes) {}
