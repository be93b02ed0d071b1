/** What is written at the end: figures, goals, Markdown, and the page with charts. */
@NullMarked
package io.keyhold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
