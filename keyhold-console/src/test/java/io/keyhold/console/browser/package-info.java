/** Tests of the page in a real browser: Chromium, driven through chromedriver. */
@NullMarked
package io.keyhold.console.browser;

import org.jspecify.annotations.NullMarked;
