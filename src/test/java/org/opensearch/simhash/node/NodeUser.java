/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * As whom a node runs. OpenSearch refuses root, so that root needs a way to start it as somebody else; which way works
 * depends on the machine (containers forbid user namespaces, small systems lack {@code setpriv}), so it is tried out.
 *
 * <p>Where {@code setpriv} exists, the kernel kills the node when the thread that started it is gone: also after
 * {@code kill -9} of this JVM.
 */
enum NodeUser {
    /** Root outside, user 1000 in a user namespace: files need no other owner. */
    ROOT_IN_NAMESPACE(true, "unshare --user --map-user=1000 --map-group=1000 setpriv --pdeathsig KILL"),
    /** The user nobody: the node's folder becomes theirs. */
    NOBODY(true, "setpriv --reuid=65534 --regid=65534 --clear-groups --pdeathsig KILL"),
    /** Root that the node does not notice: without JNA it cannot ask who it is. For throw-away nodes only. */
    UNNOTICED_ROOT(true, "setpriv --pdeathsig KILL"),
    UNNOTICED_ROOT_BARE(true, "env"),
    /** An ordinary user. */
    SELF(false, "setpriv --pdeathsig KILL"),
    SELF_BARE(false, "env");

    private static final int NOBODY_ID = 65534;

    private final boolean fromRoot;
    private final String prefix;

    NodeUser(boolean fromRoot, String prefix) {
        this.fromRoot = fromRoot;
        this.prefix = prefix;
    }

    /**
     * The first way that works here to read {@code home}, to run this JVM's Java and to write {@code folder}, which is given away
     * if need be.
     */
    static NodeUser choose(Path home, Path folder) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        boolean root = succeeds(List.of("sh", "-c", "test \"$(id -u)\" = 0"));
        for (NodeUser user : values()) {
            if (user.fromRoot == root && user.works(home, folder, java)) {
                return user;
            }
        }
        throw new IllegalStateException("cannot read " + home + ", write " + folder + " or run " + java);
    }

    /** The command that runs {@code command} as this user. */
    List<String> command(String... command) {
        return Stream.concat(Stream.of(prefix.split(" ", -1)), Stream.of(command))
                .toList();
    }

    /** Options that the node's JVM needs to run as this user. */
    List<String> jvmOptions() {
        return this == UNNOTICED_ROOT || this == UNNOTICED_ROOT_BARE ? List.of("-Djna.nounpack=true") : List.of();
    }

    boolean works(Path home, Path folder, Path java) {
        // A JDK below root's own folder is nobody else's to run.
        String question = "test -r \"$0/bin/opensearch\" && test -w \"$1\" && \"$2\" -version";
        return give(folder)
                && succeeds(command("sh", "-c", question, home.toString(), folder.toString(), java.toString()));
    }

    /** Makes the folder and all in it belong to this user; whether it can be tried then. */
    private boolean give(Path folder) {
        if (fromRoot == false) {
            return true;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            var users = folder.getFileSystem().getUserPrincipalLookupService();
            var owner = users.lookupPrincipalByName(Integer.toString(this == NOBODY ? NOBODY_ID : 0));
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.getOwner(file).equals(owner) == false) {
                    Files.setOwner(file, owner);
                }
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            return this != NOBODY; // Root may be able to write there all the same.
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
