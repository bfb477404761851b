// @ts-check
/**
 * Draws a demo's frames with Vega into the place of the picture that the build drew.
 * Vega is loaded once, by the first demo that draws.
 */
(() => {
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {Promise<void> | undefined} */
  let vegaLoaded;

  /** @param {string} address @returns {Promise<void>} */
  function loadScript(address) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${address} could not be loaded`));
      document.head.append(script);
    });
  }

  function loadVega() {
    vegaLoaded ??= loadScript(new URL("vega/vega.min.js", here).href).then(() =>
      loadScript(new URL("vega/vega-interpreter.min.js", here).href),
    );
    return vegaLoaded;
  }

  /** @param {Record<string, any[]>} columns */
  function rows(columns) {
    const names = Object.keys(columns);
    return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
  }

  /** A demo's chart: one Vega view in the layout that is on show, made anew when the layout changes. */
  class Chart {
    /** @param {HTMLElement} picture @param {Record<string, object>} specs by layout */
    constructor(picture, specs) {
      this.picture = picture;
      this.specs = specs;
      this.layout = "";
      this.view = null;
      this.frame = null;
      /** Called with the row behind a mark that is clicked. @type {(row: any) => void} */
      this.onPick = () => {};
      new ResizeObserver(() => this.frame && this.draw(this.frame)).observe(picture);
    }

    place() {
      const places = /** @type {HTMLElement[]} */ ([...this.picture.querySelectorAll("[data-layout]")]);
      return places.find((place) => getComputedStyle(place).display !== "none") ?? places[0];
    }

    /** @param {any} frame */
    async draw(frame) {
      this.frame = frame;
      const place = this.place();
      const layout = String(place.dataset.layout);
      if (layout !== this.layout) {
        this.view?.finalize();
        this.layout = layout;
        this.view = new vega.View(vega.parse(this.specs[layout], undefined, { ast: true }), {
          expr: vega.expressionInterpreter,
          renderer: "svg",
          hover: false,
        });
        this.view.addEventListener("click", (_event, item) => item?.datum && this.onPick(item.datum));
        for (const [name, columns] of Object.entries(frame.tables)) this.view.data(name, rows(columns));
        const stage = document.createElement("div");
        await this.view.initialize(stage).runAsync();
        place.replaceChildren(...stage.children);
        return;
      }
      for (const [name, columns] of Object.entries(frame.tables)) this.view.data(name, rows(columns));
      await this.view.runAsync();
    }
  }

  window.course.chart = { Chart, loadVega, loadScript };
})();
