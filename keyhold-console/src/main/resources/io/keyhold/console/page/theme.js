// Sets the stored theme before the first paint. A classic script in the head: a module would run after it.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("keyhold.theme");
  } catch (blocked) {
    // No storage: follow the system.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
