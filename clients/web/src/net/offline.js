let kept = false;

/**
 * Has the browser keep the page's own files, so that it loads without a network. The first time they are asked for once more, as nobody
 * was there to keep them.
 *
 * @param {import("../../../javascript/src/app.js").App} app
 */
export async function keepForOffline(app) {
  const { serviceWorker } = navigator;
  // A page that isn't served safely has none.
  if (!serviceWorker || kept) return;
  // The first rows come first: the screen is opened before this is answered, and told that it is seen before that.
  for (const _ of ["opened", "seen"]) await app.request("ping");
  kept = true;
  // The address of a script must be one that somebody vouches for.
  const { trustedTypes } = /** @type {any} */ (globalThis);
  const address = "worker.js";
  const vouched = trustedTypes?.createPolicy("worker", { createScriptURL: () => address }).createScriptURL(address) ?? address;
  const first = !serviceWorker.controller;
  await serviceWorker.register(vouched);
  await serviceWorker.ready;
  if (!first) return;
  const names = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(location.origin));
  await caches.open("page").then((cache) => cache.addAll([location.pathname, ...new Set(names)]));
}
