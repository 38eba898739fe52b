import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is built into the Python package, so that a wheel carries it.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/boardzero/server/static",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "bundled.json" }, // tests/test_packaging.py compares it with licences.txt
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
