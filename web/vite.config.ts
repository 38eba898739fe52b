import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => new URL(path, import.meta.url).pathname;

// The page of the site can be installed.
const installable: Plugin = {
  name: "installable",
  transformIndexHtml: () => [
    { tag: "link", attrs: { rel: "manifest", href: "./manifest.webmanifest" } },
    { tag: "link", attrs: { rel: "apple-touch-icon", href: "./icon-192.png" } },
  ],
};

// Two pages from one source. With a server: into the Python package, so that a wheel carries it.
// `--mode site`, without one: into a folder for any static host, by relative addresses only.
export default defineConfig(({ mode }) => {
  const site = mode === "site";
  return {
    plugins: [svelte(), ...(site ? [installable] : [])],
    base: site ? "./" : "/",
    resolve: {
      alias: [
        { find: "#api", replacement: here(`src/lib/api/${site ? "local" : "server"}.ts`) },
        { find: /^boardzero$/, replacement: here("boardzero/src/index.ts") },
        { find: /^boardzero\/(.*)$/, replacement: `${here("boardzero/src")}/$1.ts` },
      ],
    },
    worker: { format: "es" },
    build: {
      outDir: site ? "../build/site" : "../src/boardzero/server/static",
      emptyOutDir: true,
      target: "es2022",
      license: { fileName: "bundled.json" }, // tests/test_packaging.py compares it with licences.txt
    },
    server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  };
});
