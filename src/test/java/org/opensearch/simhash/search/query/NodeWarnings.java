/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.common.logging.Loggers;

/** Everything that the nodes of this JVM log at WARN or above and that has to do with us, by message, logger or stack trace. */
final class NodeWarnings implements AutoCloseable {

    private static final Logger ROOT = LogManager.getRootLogger();
    private static final Pattern FRAME = Pattern.compile("(org\\.opensearch\\.simhash\\.[\\w.$]+)\\.[\\w$<>]+\\(.*\\)");

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AbstractAppender appender =
            new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
                @Override
                public void append(LogEvent event) {
                    collect(event);
                }
            };

    NodeWarnings() {
        appender.start();
        Loggers.addAppender(ROOT, appender);
    }

    List<String> all() {
        return warnings;
    }

    @Override
    public void close() {
        Loggers.removeAppender(ROOT, appender);
        appender.stop();
    }

    private void collect(LogEvent event) {
        if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
            String text = event.getLoggerName() + " " + event.getMessage().getFormattedMessage();
            if (text.lines().anyMatch(NodeWarnings::namesUs) || isOurs(event.getThrown())) {
                warnings.add(text + " " + event.getThrown());
            }
        }
    }

    /** Messages, too, may have a stack trace: that of a thread of the network which the machine stopped for a while, say. */
    private static boolean namesUs(String line) {
        Matcher frame = FRAME.matcher(line);
        return line.toLowerCase(Locale.ROOT).contains("simhash")
                && (frame.matches() && passesAllOn(frame.group(1))) == false;
    }

    /** Whether our code is in the stack trace; tests that restart nodes are in some, too. */
    private static boolean isOurs(Throwable thrown) {
        return thrown != null
                && (Arrays.stream(thrown.getStackTrace())
                                .map(StackTraceElement::getClassName)
                                .anyMatch(NodeWarnings::isOurs)
                        || isOurs(thrown.getCause()));
    }

    private static boolean isOurs(String className) {
        return className.startsWith("org.opensearch.simhash.")
                && className.contains("Test") == false
                && passesAllOn(className) == false;
    }

    /** A filter of actions is in the stack trace of whatever any action of OpenSearch does. */
    private static boolean passesAllOn(String className) {
        try {
            return ActionFilter.class.isAssignableFrom(
                    Class.forName(className, false, NodeWarnings.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
