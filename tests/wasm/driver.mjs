// Drives the package without a browser: one request a line on standard input, one answer a line.
//   {"call": "think", "game": SPEC, "fen": null, "moves": [], "player": SPEC, "limit": {}}
//   {"call": "compose", "game": SPEC, "pieces": [], "mover": 0}
//   {"call": any other of Calls, "game": SPEC, "fen": null, "moves": [], "given": []}

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gameFacts } from "../../web/boardzero/dist/catalog.js";
import { compose } from "../../web/boardzero/dist/compose.js";
import { planPlayer, within } from "../../web/boardzero/dist/plan.js";
import { Service } from "../../web/boardzero/dist/service.js";

const assets = new URL("../../web/boardzero/assets/", import.meta.url);
const read = (path) => readFileSync(fileURLToPath(new URL(path, assets)));
const address = (path) => new URL(path, assets).href;
const catalog = JSON.parse(read("catalog.json"));
const onnx = new URL("../../web/node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs", import.meta.url).href;
const module = new WebAssembly.Module(read("core.wasm"));
const service = new Service({ module, flag: null }, async (at) => read(at));

async function answer({ call, game, fen, moves, player, limit, pieces, mover, given = [] }) {
  const facts = gameFacts(catalog, game);
  const place = { settings: facts.settings, from: fen ?? null, moves };
  if (call === "facts") return facts;
  if (call === "bytes") return service.bytes;
  if (call === "compose") return compose(facts, pieces, mover);
  if (call === "evaluate") {
    return service.answer(call, [place, { name: given[0], net: given[1] && address(given[1]) }]);
  }
  if (call.startsWith("probe")) return service.answer(call, [place, facts.tables.map(address)]);
  if (call !== "think") return service.answer(call, [place, ...given]);
  const { plan, budget, fallback } = planPlayer(catalog, facts, player, address, onnx);
  const own = within(budget, limit ?? {}, plan.kind !== "search", catalog.thinking);
  const chosen = Object.values(own).some((bound) => bound !== null) ? own : fallback;
  return service.answer("think", [place, plan, chosen, catalog.thinking.report_seconds]);
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).then(
    (result) => ({ result }),
    (error) => ({ error: error.message }),
  );
  console.log(JSON.stringify(said, (_, value) => (typeof value === "bigint" ? `${value}` : value)));
}
