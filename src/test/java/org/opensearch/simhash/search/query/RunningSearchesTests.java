/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.mockito.Mockito.mock;

import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.search.query.SearchMemories.RunningSearches;
import org.opensearch.test.OpenSearchTestCase;

public class RunningSearchesTests extends OpenSearchTestCase {

    public void testEachSearchHasItsOwn() {
        RunningSearches<String> searches = new RunningSearches<>();
        QueryShardContext one = mock(QueryShardContext.class);
        QueryShardContext other = mock(QueryShardContext.class);
        assertNull(searches.get(one));
        assertNull(searches.remove(one));
        assertEquals("a", searches.change(one, value -> value == null ? "a" : value + "b"));
        assertEquals("ab", searches.change(one, value -> value == null ? "a" : value + "b"));
        assertEquals("c", searches.change(other, value -> "c"));
        assertEquals("ab", searches.remove(one));
        assertNull(searches.get(one));
        assertEquals("c", searches.get(other));
        assertEquals("c", searches.remove(other));
        assertNull(searches.remove(other));
    }
}
