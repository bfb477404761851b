// @ts-check
/** Brings a demo's figure to life: controls in, frames out, from the build's frames or from Python. */
(() => {
  const { store, python, chart, Controls, Bet, demos } = window.course;

  /** The page's demos by name. @type {Map<string, Demo>} */
  const figures = new Map();

  class Demo {
    /** @param {HTMLElement} figure */
    constructor(figure) {
      this.figure = figure;
      this.name = String(figure.dataset.demo);
      this.script = String(figure.dataset.script);
      this.controls = new Controls(figure);
      /** The newest request that has not been drawn yet. @type {{values: object, since: number} | null} */
      this.wanted = null;
      this.busy = false;
      this.frame = null;
      this.begin();
    }

    part(selector) {
      return /** @type {any} */ (this.figure.querySelector(selector));
    }

    begin() {
      this.part("fieldset").disabled = false;
      const bet = this.figure.parentElement?.querySelector("form.bet");
      if (bet) new Bet(bet, (values) => this.set({ ...this.controls.firstValues(), ...values }));
      this.listen();
      const start = linkedState(this.name) ?? store.read(`values/${this.name}`);
      if (start) this.set(start);
      this.showLink();
      this.wakeWhenNear();
    }

    listen() {
      const { form } = this.controls;
      form.addEventListener("input", (event) => !("exact" in event.target.dataset) && this.changed());
      form.addEventListener("exact", () => this.changed());
      form.addEventListener("change", () => (this.announce = true));
      for (const preset of form.querySelectorAll("[name=preset]")) {
        preset.addEventListener("click", () =>
          this.set({ ...this.controls.firstValues(), ...JSON.parse(preset.dataset.values) }),
        );
      }
      this.part("[name=reset]").addEventListener("click", () => this.reset());
      this.part("[name=stop]").addEventListener("click", () => python.stop());
      this.part("[name=start]").addEventListener("click", () => this.wake(true));
      this.part("[name=retry]").addEventListener("click", () => this.retry());
      this.part(".state-link").addEventListener("click", (event) => this.takeLink(event));
      this.part("[name=send]")?.addEventListener("click", () => this.send(this.controls.values()));
      this.part("details.data").addEventListener("toggle", () => this.showTables());
      python.listen((news) => this.hear(news));
    }

    /** Starts when the figure comes near the screen or is touched; on metered lines Python waits for a press. */
    wakeWhenNear() {
      const near = new IntersectionObserver(
        ([entry]) => {
          if (!entry.isIntersecting) return;
          near.disconnect();
          this.wake(false);
        },
        { rootMargin: "200px" },
      );
      near.observe(this.figure);
      for (const touch of ["pointerdown", "focusin"]) {
        this.figure.addEventListener(touch, () => this.wake(false), { once: true });
      }
    }

    /** @param {boolean} pressed whether the reader asked for Python in so many words */
    async wake(pressed) {
      if (!this.waking) {
        this.waking = this.bake();
      }
      const metered = /** @type {any} */ (navigator).connection?.saveData && !pressed && !python.isReady();
      this.part("[name=start]").hidden = !metered;
      if (!python.isPossible()) this.say("Opened from disk, the demo answers from states computed ahead. Run `make serve` for live Python.");
      else if (!metered) python.start(String(this.figure.dataset.runtime));
      await this.waking;
      if (python.isReady()) this.goLive();
    }

    async bake() {
      try {
        await Promise.all([chart.loadScript(this.script), chart.loadVega()]);
      } catch (error) {
        this.fail(error);
        this.waking = null;
        return;
      }
      const { charts, frames } = demos[this.name];
      this.frames = frames;
      this.chart = new chart.Chart(this.part(".demo-picture"), charts);
      this.chart.onPick = (row) => this.pick(row);
      if (this.figure.dataset.state === "static") this.figure.dataset.state = "baked";
      this.settle();
    }

    goLive() {
      if (!this.frames || this.figure.dataset.state === "live") return;
      this.figure.dataset.state = "live";
      this.part(".demo-error").hidden = true;
      this.wanted ??= { values: this.controls.values(), since: performance.now() };
      this.settle();
    }

    hear(news) {
      if (!this.waking) return;
      const bytes = news.total ? `: ${megabytes(news.done)} of ${megabytes(news.total)} MB` : "";
      if (python.isPossible()) this.say(news.stage + bytes);
      const bar = this.part("progress");
      bar.hidden = news.state !== "starting";
      if (news.total) Object.assign(bar, { max: news.total, value: Math.min(news.done, news.total) });
      else bar.removeAttribute("value");
      this.part("[name=stop]").hidden = news.state !== "running";
      if (news.state === "ready") this.goLive();
      if (news.state === "starting" && this.figure.dataset.state === "live") this.figure.dataset.state = "baked";
      if (news.state === "dead") this.fail(new Error(news.stage));
    }

    say(text) {
      this.part(".stage").textContent = text;
    }

    fail(error) {
      this.figure.dataset.state = "failed";
      this.part(".demo-error").hidden = false;
      this.part(".demo-error span").textContent = `This did not work: ${error.message}. The picture stays as it was.`;
    }

    retry() {
      this.part(".demo-error").hidden = true;
      this.figure.dataset.state = this.frames ? "baked" : "static";
      this.wanted ??= { values: this.controls.values(), since: performance.now() };
      this.wake(true);
    }

    /** Sets controls and asks for their frame. */
    set(values) {
      this.controls.setValues(values);
      this.announce = true;
      this.changed();
    }

    changed() {
      const values = this.controls.values();
      this.wanted = { values, since: performance.now() };
      this.part("[name=reset]").textContent = "Reset";
      this.undo = null;
      store.write(`values/${this.name}`, values);
      this.controls.markPreset();
      this.showLink();
      this.settle();
    }

    reset() {
      const before = this.undo ? null : this.controls.values();
      this.set(this.undo ?? this.controls.firstValues());
      if (!before) return;
      this.undo = before;
      this.part("[name=reset]").textContent = "Undo reset";
      store.write(`values/${this.name}`, null);
    }

    /** Draws the newest wanted frame, then the next, one at a time. */
    async settle() {
      if (this.busy || !this.frames) return;
      this.busy = true;
      while (this.wanted) {
        const { values, since } = this.wanted;
        const source = this.figure.dataset.state === "live" ? "live" : "baked";
        this.wanted = null;
        try {
          const frame = source === "live" ? await python.run(this.name, this.script, values) : this.nearest(values);
          await this.show(frame);
          const ms = performance.now() - since;
          const detail = { values: frame.values, ms, source };
          this.figure.dispatchEvent(new CustomEvent("demo:frame", { bubbles: true, detail }));
        } catch (error) {
          if (error.message === "stopped") this.say("Stopped. Python starts again.");
          else this.fail(error);
        }
      }
      this.busy = false;
    }

    /** @returns {any} the frame computed ahead that is closest to the values; the page says so where it is not theirs */
    nearest(values) {
      const distance = (frame) =>
        this.controls.fields.reduce((sum, field) => sum + apart(field, frame.values[field.name], values[field.name]), 0);
      const best = this.frames.reduce((a, b) => (distance(b) < distance(a) ? b : a));
      const other = this.controls.fields.filter((field) => apart(field, best.values[field.name], values[field.name]) > 1e-6);
      const where = other.map((field) => `${field.name.replaceAll("_", " ")} ${best.values[field.name]}`).join(", ");
      this.part(".demo-picture").dataset.near = where && `computed ahead for ${where}`;
      return best;
    }

    /** Takes over the values of a mark that the reader clicked, and sends them on. */
    pick(row) {
      const { fields = [] } = JSON.parse(this.figure.dataset.sends ?? "{}");
      if (!fields.length || !fields.every((name) => name in row)) return;
      this.set(Object.fromEntries(fields.map((name) => [name, row[name]])));
      this.send(this.controls.values());
    }

    /** Sets the demo that this one sends to, and goes there. */
    send(values) {
      const other = figures.get(JSON.parse(String(this.figure.dataset.sends)).to);
      if (!other) return;
      other.set(values);
      other.figure.scrollIntoView({ block: "start" });
    }

    /** @param {any} frame */
    async show(frame) {
      await this.chart.draw(frame);
      this.frame = frame;
      if (this.figure.dataset.state === "live") delete this.part(".demo-picture").dataset.near;
      for (const [name, text] of Object.entries(frame.texts)) this.part(`output[name="${name}"]`).value = text;
      const verdict = this.part(".verdict");
      verdict.setAttribute("aria-live", this.announce ? "polite" : "off");
      verdict.dataset.tone = frame.tone;
      verdict.textContent = frame.verdict;
      this.announce = false;
      this.showTables();
    }

    showTables() {
      if (!this.frame || !this.part("details.data").open) return;
      const tables = /** @type {NodeListOf<HTMLTableElement>} */ (this.figure.querySelectorAll("[data-table]"));
      for (const table of tables) {
        const columns = this.frame.tables[String(table.dataset.table)];
        const names = Object.keys(columns);
        const length = columns[names[0]].length;
        const stride = Math.max(1, Math.ceil(length / 24));
        const lines = [];
        for (let i = 0; i < length; i += stride) {
          const line = document.createElement("tr");
          for (const name of names) line.insertCell().textContent = written(columns[name][i]);
          lines.push(line);
        }
        table.tBodies[0].replaceChildren(...lines);
      }
    }

    address() {
      const query = new URLSearchParams({ demo: this.name });
      for (const [name, value] of Object.entries(this.controls.values())) query.set(name, String(value));
      return `${location.pathname}?${query}#${this.figure.id}`;
    }

    showLink() {
      this.part(".state-link").href = this.address();
      this.part(".state-link").textContent = "Link to this state";
    }

    takeLink(event) {
      event.preventDefault();
      history.replaceState(null, "", this.address());
      navigator.clipboard?.writeText(location.href).then(
        () => (this.part(".state-link").textContent = "Link copied"),
        () => (this.part(".state-link").textContent = "Link is in the address bar"),
      );
    }
  }

  /** @returns {Record<string, string> | null} the state that the page's address carries for a demo */
  function linkedState(name) {
    const query = new URLSearchParams(location.search);
    return query.get("demo") === name ? Object.fromEntries(query) : null;
  }

  /** How far apart two values of a control are: 0 to 1 along a slider, 0 or 1 elsewhere. */
  function apart(field, a, b) {
    if (field.type !== "range") return a === b ? 0 : 1;
    const at = (value) => ("log" in field.dataset ? Math.log10(value) : value);
    return Math.abs(at(a) - at(b)) / (Number(field.max) - Number(field.min));
  }

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const written = (cell) => (typeof cell === "number" ? String(Number(cell.toPrecision(4))) : (cell ?? ""));

  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure.demo"))) {
    figures.set(String(figure.dataset.demo), new Demo(figure));
  }
})();
