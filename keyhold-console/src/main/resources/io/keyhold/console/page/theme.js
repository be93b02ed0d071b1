// Sets the theme before the first paint. A classic script in the head: a module would run after it.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("keyhold.theme");
  } catch (blocked) {
    // No storage: follow the system.
  }
  var dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
