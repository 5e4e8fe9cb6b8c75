/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.search.SearchModule;
import org.opensearch.simhash.core.verify.Verification;

class DeduplicateOptionsTests {

    private static final SearchModule SEARCH = new SearchModule(Settings.EMPTY, List.of());

    @Test
    void testDefaultsChangeNothing() throws IOException {
        DeduplicateOptions options = parse("{}");
        assertEquals("simhash", options.field());
        assertEquals(new MatchAllQueryBuilder(), options.query());
        assertEquals(3, options.maxDistance());
        assertEquals(DeduplicateOptions.Action.REPORT, options.action());
        assertEquals(DeduplicateOptions.Linkage.SURVIVOR, options.linkage());
        assertEquals(10_000, options.maxGroupSize());
        assertEquals("_id", options.survivor().getFirst().field());
        assertEquals(11, parse("{'verify':{'field':'content'}}").maxDistance());
        assertNull(parse("{'verify':false}").verify());
    }

    @Test
    void testADeleteComparesTheTextsUnlessToldNotTo() throws IOException {
        DeduplicateOptions options = parse("{'action':'delete','archive':false}");
        assertEquals(Verification.of(null, null, null, null, null), options.verify());
        assertEquals(11, options.maxDistance());
        assertEquals(15, options.maxOwnWords());
        assertEquals(
                4, parse("{'action':'delete','archive':false,'max_distance':4}").maxDistance());
        options = parse("{'action':'delete','archive':false,'verify':false,'max_own_words':-1}");
        assertNull(options.verify());
        assertEquals(3, options.maxDistance());
        assertEquals(-1, options.maxOwnWords());
        assertNull(parse("{'verify':{'min_similarity':0.1}}").verify().field());
        assertRefused(
                "[min_similarity] of [verify] must be between 0.5 and 1.0 with [action] delete, got: 0.49",
                "{'action':'delete','archive':false,'verify':{'min_similarity':0.49}}");
        assertRefused(
                "[min_similarity] must be between 0.5 and 1.0 with [action] delete and [verify] false, got: 0.4",
                "{'action':'delete','archive':false,'verify':false,'sketch':'minhash','min_similarity':0.4}");
        assertRefused(
                "[max_distance] must be between 0 and 64, got: 65",
                "{'action':'delete','archive':false,'max_distance':65}");
        assertRefused(
                "[max_own_words] must be between -1 and 1000000, got: -2",
                "{'action':'delete','archive':false,'max_own_words':-2}");
        assertRefused(
                "[max_own_words] is only allowed with [action] delete, got: 5", "{'action':'tag','max_own_words':5}");
        assertRefused("[verify] must be an object, or false, got: true", "{'verify':true}");
    }

    @Test
    void testNewDocumentsAreAQuery() throws IOException {
        RangeQueryBuilder range = new RangeQueryBuilder("date").gte(5);
        assertEquals(range, parse("{'new_since':{'range':{'date':{'gte':5}}}}").newSince());
    }

    @Test
    void testIdsAndSizesOfGroupsAreWrittenWithTagsOnly() throws IOException {
        assertEquals(
                DeduplicateOptions.Groups.DUPLICATES, parse("{'action':'tag'}").groups());
        for (String other : List.of("'report'", "'delete','archive':false")) {
            for (String groups : List.of("all", "duplicates")) {
                assertRefused(
                        "[groups] is only allowed with [action] tag, got: " + groups,
                        "{'action':" + other + ",'groups':'" + groups + "'}");
            }
            assertRefused(
                    "[size_field] is only allowed with [action] tag, got: copies",
                    "{'action':" + other + ",'size_field':'copies'}");
        }
        assertRefused("[groups] must be one of [duplicates, all], got: none", "{'action':'tag','groups':'none'}");
        for (String inside : List.of("a.print", "a.print.size", "a")) {
            assertRefused(
                    "[size_field] must be outside the fingerprint object [a.print], got: " + inside,
                    "{'action':'tag','field':'a.print','size_field':'" + inside + "'}");
        }
        assertRefused("[size_field] must be a field, not metadata, got: _id", "{'action':'tag','size_field':'_id'}");
        assertEquals(
                "a.printed",
                parse("{'action':'tag','field':'a.print','size_field':'a.printed'}")
                        .sizeField());
    }

    @Test
    void testRefusesWithTheOptionTheRuleAndTheValue() throws IOException {
        assertRefused(
                "[survivor] must have at most 32 fields, got: 33",
                "{'survivor':[" + "{'field':'a'},".repeat(32) + "{'field':'a'}]}");
        for (String entry : List.of("{'date':'desc'}", "{'date':{'order':'desc'}}")) {
            assertRefused(
                    "[1:15] [survivor] unknown field [date]: an entry is {\"field\": name, \"order\": \"asc\" or \"desc\"}",
                    "{'survivor':[" + entry + "]}");
        }
        String verify = "'verify':{'strip':["
                + IntStream.range(0, 101)
                        .mapToObj(block -> "'" + (4 + block) + "-" + "0".repeat(24) + "'")
                        .collect(Collectors.joining(","))
                + "]}";
        assertRefused(
                "[strip] of [verify], which each group in [dest] keeps, must have at most 100 digests, others belong into"
                        + " the pipeline, got: 101",
                "{'dest':{'index':'x'}," + verify + "}");
        assertEquals(101, parse("{" + verify + "}").verify().strip().digests().size());
        assertRefused(
                "[archive] must be an object with an [index], or false, got: true",
                "{'action':'delete','archive':true}");
        assertRefused(
                "[archive] is only allowed with [action] delete, or with [merge], got: tag",
                "{'action':'tag','archive':{'index':'x'}}");
        assertRefused("[order] must be one of [asc, desc], got: up", "{'survivor':[{'field':'a','order':'up'}]}");
        assertRefused("[max_group_size] must be between 2 and 100000, got: 100001", "{'max_group_size':100001}");
        String deep = "a.".repeat(1000) + "a";
        Map.of(
                        "[field] must name the fingerprint object", "'field':'DEEP'",
                        "[same] must be a list of names of fields, or of objects with [field] and [missing]",
                                "'same':['DEEP']",
                        "[field] of [survivor] must name a field", "'survivor':[{'field':'DEEP'}]",
                        "[field] of [candidates] must be the name of a field",
                                "'verify':{'field':'t'},'candidates':{'index':'log','field':'DEEP'}")
                .forEach((rule, option) -> assertRefused(
                        rule + ", of at most 1000 characters, got: 2001", "{" + option.replace("DEEP", deep) + "}"));
        assertRefused("[survivor] must name at least one field, got: []", "{'survivor':[]}");
        assertRefused("[max_distance] must be between 0 and 64, got: -1", "{'max_distance':-1}");
        assertRefused(
                "[min_similarity] must be between 0.0 and 1.0, got: 2.0",
                "{'verify':{'field':'c','min_similarity':2}}");
        assertRefused("[max_group_size] must be a whole number, got: 2.5", "{'max_group_size':2.5}");
        assertRefused("[1:10] [deduplicate] failed to parse field [dest]: Required [index]", "{'dest':{}}");
        assertRefused("unknown query [nope]", "{'query':{'nope':{}}}");
        for (String score : List.of("x", "NaN", "")) {
            assertRefused(
                    "[min_score] must be a number, got: " + score,
                    "{'verify':{'field':'c'},'candidates':{'index':'log','field':'hits','min_score':'" + score + "'}}");
        }
    }

    @Test
    void testRefusesValuesOfAnotherType() {
        assertRefused("[field] must be a string, got: 42", "{'field':42}");
        assertRefused("[query] must be an object, got: x", "{'query':'x'}");
        assertRefused("[max_distance] must be a whole number, got: true", "{'max_distance':true}");
        assertRefused("[verify] must be an object, or false, got: content", "{'verify':'content'}");
        assertRefused(
                "[same] must be a list of names of fields, or of objects with [field] and [missing], got: 1",
                "{'same':1}");
        assertRefused(
                "[same] must be a list of names of fields, or of objects with [field] and [missing], got: {}",
                "{'same':{}}");
        assertRefused("[linkage] must be one of [survivor, chain], got: true", "{'linkage':true}");
        assertRefused("[max_group_size] must be a whole number, got: an array", "{'max_group_size':[7]}");
        assertRefused("[survivor] must be a list of objects with a [field], got: _id", "{'survivor':'_id'}");
        assertRefused("[survivor] must be a list of objects with a [field], got: _id", "{'survivor':['_id']}");
        assertRefused("[field] of [survivor] must be a string, got: 1", "{'survivor':[{'field':1}]}");
        assertRefused("[order] must be one of [asc, desc], got: 1", "{'survivor':[{'field':'a','order':1}]}");
        assertRefused("[action] must be one of [report, tag, delete], got: 1", "{'action':1}");
        assertRefused("[dest] must be an object with an [index], got: groups", "{'dest':'groups'}");
        assertRefused("[index] of [dest] must be a string, got: 1", "{'dest':{'index':1}}");
        assertRefused("[archive] must be an object with an [index], or false, got: removed", "{'archive':'removed'}");
        assertRefused("[index] of [archive] must be a string, got: an array", "{'archive':{'index':['a']}}");
        assertRefused(
                "[dest] is required with [new_since] last, which keeps there what the last run saw, got: nothing",
                "{'new_since':'last'}");
        assertRefused("[new_since] must be an object or last, got: now", "{'new_since':'now'}");
        assertRefused(
                "[field] query malformed, no start_object after query name",
                "{'new_since':{'field':'date','value':5}}");
        assertRefused("[candidates] must be an object, got: log", "{'candidates':'log'}");
        assertRefused("[index] of [candidates] must be a string, got: 1", "{'candidates':{'index':1,'field':'hits'}}");
        assertRefused(
                "[field] of [candidates] must be a string, got: null", "{'candidates':{'index':'l','field':null}}");
        assertRefused(
                "[field] of [candidates] must be the name of a field, got an empty name",
                "{'verify':{'field':'c'},'candidates':{'index':'log','field':''}}");
        assertRefused(
                "[min_score] must be a number, got: true",
                "{'candidates':{'index':'log','field':'hits','min_score':true}}");
    }

    /** Each document of a group has it, and the next job compares it. */
    @Test
    void testALongQueryIsToldByItsBeginningAndItsHash() throws IOException {
        String ids = "'x'" + ",'x'".repeat(9_999);
        String told = (String)
                parse("{'query':{'terms':{'_id':[" + ids + "]}}}").asMap().get("query");
        assertEquals(2_000 + 100, told.length(), 20);
        String other = (String) parse("{'query':{'terms':{'_id':[" + ids.replaceFirst("x'$", "y'") + "]}}}")
                .asMap()
                .get("query");
        assertNotEquals(told, other);
        assertEquals(told.substring(0, 2_000), other.substring(0, 2_000));
    }

    @Test
    void testOneFieldNeedsNoList() throws IOException {
        assertEquals(List.of("t"), parse("{'same':'t'}").same());
        assertEquals(List.of("t", "3"), parse("{'same':['t',3]}").same());
        assertEquals(
                parse("{'survivor':[{'field':'d'}]}").survivor(),
                parse("{'survivor':{'field':'d'}}").survivor());
    }

    /** A brace too many hid the options behind it. */
    @Test
    void testNothingMayStandBehindTheOptions() {
        assertRefused("the body must be one object, got behind it: START_OBJECT", "{'max_distance':1} {'same':['a']}");
        assertThrows(IOException.class, () -> parse("{'max_distance':1},'same':['a']}"));
    }

    private static void assertRefused(String message, String json) {
        Exception e = assertThrows(Exception.class, () -> parse(json));
        assertEquals(message, e.getMessage());
    }

    private static DeduplicateOptions parse(String json) throws IOException {
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                new NamedXContentRegistry(SEARCH.getNamedXContents()),
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                json.replace('\'', '"'))) {
            return DeduplicateOptions.named(parser).apply(null);
        }
    }
}
