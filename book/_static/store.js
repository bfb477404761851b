// @ts-check
/**
 * What the page keeps in this browser, under one prefix and with a version.
 * Where storage is forbidden or full it works in memory for as long as the page is open.
 */
(() => {
  const PREFIX = "debugging-strategies/1/";
  /** @type {Map<string, string>} */
  const memory = new Map();

  /** @param {string} key @returns {any} the value, or null where there is none or it is damaged */
  function read(key) {
    try {
      return JSON.parse(memory.get(key) ?? localStorage.getItem(PREFIX + key) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {any} value JSON data; null removes the entry */
  function write(key, value) {
    const text = JSON.stringify(value);
    try {
      if (value === null) localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, text);
      memory.delete(key);
    } catch {
      memory.set(key, text);
    }
  }

  window.course = { demos: {}, store: { read, write } };
})();
