let kept = false;

/**
 * Has the browser keep the page's files, so that it loads without a network. On the first visit the files are requested again,
 * because the service worker wasn't there to keep them.
 *
 * @param {import("../../../javascript/src/app.js").App} app
 */
export async function keepForOffline(app) {
  const { serviceWorker } = navigator;
  // Browsers have no service workers for pages that aren't served securely.
  if (!serviceWorker || kept) return;
  // The first rows come first: the first ping is answered after the screen was opened, the second after it has appeared.
  for (const _ of ["opened", "seen"]) await app.request("ping");
  kept = true;
  // The page's policy requires a trusted URL for scripts.
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
