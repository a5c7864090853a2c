// Keeps the page's files, so that it loads without a network. Files from the network are preferred.

const CACHE = "page";
/** The files that the page loads on first use. They must be available without a network as well. */
const LATER = ["src/dialogs/command-palette.js", "src/dialogs/dialogs.js", "src/item/article-extras.js", "src/list/arrival-notifications.js", "src/list/far-scroll.js", "src/net/offline.js", "src/shell/divider.js", "style/body.css", "style/dialogs.css", "style/divider.css", "style/far-scroll.css", "style/article-extras.css", "../javascript/src/index.js"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(LATER)).catch(() => {}));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});

// A click on a notification has its page show the new items.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show({ address, screen }) {
  const of = (url) => url.replace(/#.*/, "");
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => of(url) === of(address));
  if (!page) return self.clients.openWindow(address);
  page.postMessage({ arrivals: screen });
  return page.focus();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
