// @ts-check
/**
 * Runs Pyodide away from the page. Messages in: `start` once, then `run`.
 * Messages out: `locked`, `progress`, `ready` or `failed`, and an answer for each `run` by its id.
 */

/** @type {Promise<any> | undefined} */
let python;

/**
 * Reports the bytes that have come, as they come, of all that the build says will come.
 * A file that cannot be had is told at once: Pyodide itself would wait for it without end.
 */
async function watchFetches(runtime) {
  const manifest = await (await fetch(runtime + "manifest.json")).json();
  const plainFetch = self.fetch;
  const total = manifest.total_bytes;
  let done = 0;
  self.fetch = async (...request) => {
    const answer = await plainFetch(...request).catch(() => null);
    if (!answer?.ok || !answer.body) {
      const name = new Request(...request).url.split("/").pop();
      const error = `${name} could not be fetched (${answer ? `status ${answer.status}` : "no answer"})`;
      self.postMessage({ type: "failed", error });
      throw new Error(error);
    }
    const counter = new TransformStream({
      transform(chunk, controller) {
        done += chunk.byteLength;
        self.postMessage({ type: "progress", stage: "Fetching Python", done, total });
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counter), answer);
  };
}

async function boot(runtime) {
  await watchFetches(runtime);
  const { loadPyodide } = await import(runtime + "pyodide.mjs");
  const pyodide = await loadPyodide({
    indexURL: runtime,
    lockFileURL: runtime + "pyodide-lock.json",
    packages: ["numpy", "mlbug"],
    checkIntegrity: false,
  });
  self.postMessage({ type: "progress", stage: "Loading numpy and mlbug" });
  pyodide.runPython("import numpy, mlbug, sys; sys.path.insert(0, '/course')");
  pyodide.FS.mkdirTree("/course/demos");
  self.postMessage({ type: "ready", version: pyodide.version });
  return pyodide;
}

/** @type {Map<string, any>} */
const demos = new Map();

/** Imports a demo's Python file, which lies beside its script under the same name. */
async function load(pyodide, name, script) {
  if (!demos.has(name)) {
    const [, digest] = /\.([0-9a-f]+)\.js$/.exec(script) ?? [];
    const folder = new URL(".", script);
    await Promise.all([
      place(pyodide, new URL(`frames.${digest}.py`, folder), "/course/frames.py"),
      place(pyodide, new URL(`${name}.${digest}.py`, folder), `/course/demos/${name}.py`),
    ]);
    pyodide.runPython("import importlib; importlib.invalidate_caches()");
    demos.set(name, pyodide.pyimport(`demos.${name}`));
  }
  return demos.get(name);
}

async function place(pyodide, address, path) {
  pyodide.FS.writeFile(path, await (await fetch(address)).text());
}

/** Says what went wrong in one line: Python's last, or the JavaScript error's. */
function reason(error) {
  return String(error?.message ?? error).trim().split("\n").pop();
}

self.onmessage = async ({ data }) => {
  if (data.type === "start") {
    await new Promise((held) => {
      if (!navigator.locks) return held(null);
      navigator.locks.request(data.lock, () => {
        held(null);
        return new Promise(() => {});
      });
    });
    self.postMessage({ type: "locked", lock: data.lock });
    python = boot(data.runtime);
    python.catch((error) => self.postMessage({ type: "failed", error: reason(error) }));
    return;
  }
  try {
    const pyodide = await python;
    const demo = await load(pyodide, data.demo, data.script);
    const frame = JSON.parse(pyodide.pyimport("frames").run_json(demo, data.values));
    self.postMessage({ id: data.id, frame });
  } catch (error) {
    self.postMessage({ id: data.id, error: reason(error) });
  }
};
