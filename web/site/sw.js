// The service worker of the site: after the first visit the program works without a network.
//
// Every file but the page itself has its content in its address. So the page is asked of the network
// first, and whatever it names is right: nothing is ever old. Without a network
// the page and the files of one and the same build are there. scripts/static_site.py fills in which.

const BUILD = "{build}";
const FILES = "{files}"; // of the program, fetched at once
const CACHE = `boardzero-${BUILD}`;
const PATIENCE = 3000; // milliseconds until a slow network counts as none

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith("boardzero-"));
      await Promise.all(old.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || address.origin !== scope.origin) return;
  const path = address.pathname.slice(scope.pathname.length);
  if (request.mode === "navigate") {
    if (path === "" || path === "index.html") event.respondWith(page(request));
  } else if (!path.startsWith("docs/")) event.respondWith(file(request));
});

async function page(request) {
  try {
    // Asked of the host itself: a browser's own memory of the page may be of an earlier build.
    const answer = await fetch(request, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) return answer;
  } catch {
    // No network: the page of this build.
  }
  return (await caches.match("./", { cacheName: CACHE })) ?? Response.error();
}

/** Nets and tables are kept when they are first asked for. */
async function file(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok && answer.status === 200) cache.put(request, answer.clone());
  return answer;
}
