// @ts-check
/** Reads and writes a demo's controls, keeps slider, exact number and spoken value in step. */
(() => {
  /** @param {HTMLInputElement} slider */
  function valueOfSlider(slider) {
    const position = Number(slider.value);
    const value = "log" in slider.dataset ? 10 ** position : position;
    return "integer" in slider.dataset ? Math.round(value) : Number(value.toPrecision(6));
  }

  class Controls {
    /** @param {HTMLElement} figure */
    constructor(figure) {
      this.form = /** @type {HTMLFormElement} */ (figure.querySelector("form.controls"));
      this.fields = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (
        [...this.form.querySelectorAll("[data-first]")]
      );
      /** Exact numbers that a slider cannot stand on. @type {Map<string, number>} */
      this.exact = new Map();
      this.form.addEventListener("submit", (event) => event.preventDefault());
      for (const field of this.fields) this.join(field);
    }

    /** Joins a slider to its exact number and its two step buttons. */
    join(field) {
      if (field.type !== "range") return;
      this.exact.set(field.name, Number(field.dataset.first)); // the slider may have no such stop
      const box = field.closest(".control");
      const number = box.querySelector("[data-exact]");
      field.addEventListener("input", () => {
        this.exact.delete(field.name);
        this.show(field);
      });
      number.addEventListener("change", () => {
        if (number.value.trim() !== "" && Number.isFinite(Number(number.value))) this.set(field, Number(number.value));
        this.show(field);
        field.dispatchEvent(new CustomEvent("exact", { bubbles: true }));
      });
      for (const button of box.querySelectorAll("[data-step]")) {
        button.addEventListener("click", () => {
          if (button.dataset.step > 0) field.stepUp();
          else field.stepDown();
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.dispatchEvent(new Event("change", { bubbles: true }));
        });
      }
    }

    /** @returns {Record<string, number | string | boolean>} */
    values() {
      return Object.fromEntries(this.fields.map((field) => [field.name, this.value(field)]));
    }

    value(field) {
      if (field.type === "checkbox") return field.checked;
      if (field.type !== "range") return field.value;
      return this.exact.get(field.name) ?? valueOfSlider(field);
    }

    firstValues() {
      return Object.fromEntries(this.fields.map((field) => [field.name, this.parse(field, field.dataset.first)]));
    }

    /** Sets the controls named; a value that a control cannot take is passed over. */
    setValues(values) {
      for (const field of this.fields) {
        const value = this.parse(field, values[field.name]);
        if (value !== undefined) this.set(field, value);
        this.show(field);
      }
    }

    /** @returns {any} the value as this control's own type, or undefined where it does not fit */
    parse(field, value) {
      if (value === undefined || value === null || value === "") return undefined;
      if (field.type === "checkbox") return { true: true, false: false }[String(value)];
      if (field.type !== "range") return [...field.options].some((o) => o.value === value) ? value : undefined;
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    }

    set(field, value) {
      if (field.type === "checkbox") field.checked = value;
      else if (field.type !== "range") field.value = value;
      else {
        const number = field.closest(".control").querySelector("[data-exact]");
        let kept = Math.min(Math.max(value, Number(number.min)), Number(number.max));
        if ("integer" in field.dataset) kept = Math.round(kept);
        field.value = String("log" in field.dataset ? Math.log10(kept) : kept);
        this.exact.set(field.name, kept);
      }
    }

    show(field) {
      if (field.type !== "range") return;
      const value = this.value(field);
      field.closest(".control").querySelector("[data-exact]").value = String(value);
      field.setAttribute("aria-valuetext", `${value} ${field.dataset.unit}`.trim());
    }

    /** Marks the preset, if any, whose state the controls are in. */
    markPreset() {
      const now = this.values();
      const first = this.firstValues();
      const presets = /** @type {NodeListOf<HTMLElement>} */ (this.form.querySelectorAll("[name=preset]"));
      for (const button of presets) {
        const state = { ...first, ...JSON.parse(String(button.dataset.values)) };
        const same = Object.keys(state).every((name) => state[name] === now[name]);
        button.setAttribute("aria-pressed", String(same));
      }
    }
  }

  window.course.Controls = Controls;
})();
