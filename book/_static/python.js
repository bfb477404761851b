// @ts-check
/**
 * The page's one Python: a worker that runs Pyodide, started when first wanted.
 *
 * One run is under way at a time; each demo asks for its next frame when it has drawn the last.
 * A worker that dies is noticed, since it then gives up its lock, and is replaced once for each
 * answer that it has given.
 */
(() => {
  /** @typedef {{id: number, demo: string, script: string, values: object, resolve: Function, reject: Function}} Request */

  /** @type {Worker | null} */
  let worker = null;
  /** @type {Request | null} */
  let running = null;
  /** @type {Request[]} */
  let waiting = [];
  let runtime = "";
  let ready = false;
  let lives = 1;
  let generation = 0;
  const listeners = new Set();

  /** @param {{stage: string, done?: number, total?: number, state: "starting"|"ready"|"running"|"dead"}} news */
  function tell(news) {
    for (const listener of listeners) listener(news);
  }

  /** @param {string} address the runtime's folder, relative to the page */
  function start(address) {
    if (worker || !location.protocol.startsWith("http")) return;
    runtime = address;
    const mine = ++generation;
    const base = new URL(address, location.href).href;
    const lock = `${base}#${performance.timeOrigin}-${mine}`;
    tell({ state: "starting", stage: "Fetching Python" });
    worker = new Worker(new URL("../../_static/worker.mjs", base), { type: "module" });
    worker.onmessage = ({ data }) => mine === generation && receive(data);
    worker.onerror = (event) => mine === generation && died(event.message || "the worker could not be loaded");
    worker.postMessage({ type: "start", runtime: base, lock });
  }

  /** Waits, in line behind the worker, for the lock that a living worker never gives up. */
  function watch(lock) {
    const mine = generation;
    navigator.locks?.request(lock, () => mine === generation && died("Python stopped unexpectedly"));
  }

  function receive(message) {
    if (message.type === "locked") watch(message.lock);
    else if (message.type === "progress") tell({ state: "starting", ...message });
    else if (message.type === "failed") died(message.error);
    else if (message.type === "ready") {
      ready = true;
      document.documentElement.dataset.bootMs ??= String(Math.round(performance.now()));
      tell({ state: "ready", stage: `Python ${message.version} is ready` });
      next();
    } else if (running && message.id === running.id) {
      const request = running;
      running = null;
      lives = 1;
      if (message.error) request.reject(new Error(message.error));
      else request.resolve(message.frame);
      tell({ state: "ready", stage: "" });
      next();
    }
  }

  /** @param {string} why */
  function died(why) {
    discard();
    if (running) waiting.unshift(running);
    running = null;
    if (lives-- > 0 && waiting.length) start(runtime);
    else {
      lives = 1;
      const lost = waiting;
      waiting = [];
      for (const request of lost) request.reject(new Error(why));
      tell({ state: "dead", stage: why });
    }
  }

  function discard() {
    generation++;
    worker?.terminate();
    worker = null;
    ready = false;
  }

  function next() {
    if (!ready || running || !worker) return;
    running = waiting.shift() ?? null;
    if (!running) return;
    const { id, demo, script, values } = running;
    worker.postMessage({ type: "run", id, demo, script, values: JSON.stringify(values) });
    setTimeout(() => running?.id === id && tell({ state: "running", stage: "Computing" }), 400);
  }

  let count = 0;
  /**
   * Computes one frame.
   * @param {string} demo @param {string} script address of its script, which names its Python file too
   * @param {object} values
   */
  function run(demo, script, values) {
    return new Promise((resolve, reject) => {
      waiting.push({ id: ++count, demo, script: new URL(script, location.href).href, values, resolve, reject });
      next();
    });
  }

  /** Gives up the run that is under way: Python is replaced, and waiting requests run in the new one. */
  function stop() {
    if (!running) return;
    discard();
    running.reject(new Error("stopped"));
    running = null;
    start(runtime);
  }

  window.course.python = {
    start,
    run,
    stop,
    isReady: () => ready,
    isPossible: () => location.protocol.startsWith("http") && "Worker" in window && "WebAssembly" in window,
    /** @param {(news: any) => void} listener */
    listen: (listener) => listeners.add(listener),
  };
})();
