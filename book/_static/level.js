// @ts-check
/** The level at which the course tells its ideas: one choice, kept in this browser, for every page. */
(() => {
  const KEY = "debugging-strategies/1/level";
  const root = document.documentElement;

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? "null");
    } catch {
      return null;
    }
  }

  root.dataset.level = kept() ?? "plain";
  document.addEventListener("DOMContentLoaded", () => {
    for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".level-switch input"))) {
      choice.checked = choice.value === root.dataset.level;
      choice.addEventListener("change", () => {
        root.dataset.level = choice.value;
        try {
          localStorage.setItem(KEY, JSON.stringify(choice.value));
        } catch {
          // The choice then holds for this page alone.
        }
      });
    }
  });
})();
