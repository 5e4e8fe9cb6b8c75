/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import org.opensearch.plugins.Plugin;

public class SimHashPlugin extends Plugin {}
