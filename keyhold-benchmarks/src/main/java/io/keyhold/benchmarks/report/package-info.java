/** The report: figures and goals, in Markdown and JSON. */
@NullMarked
package io.keyhold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
