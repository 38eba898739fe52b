import { expect, test } from "vitest";
import { pack, unpack } from "../src/lib/link";

const text = Array.from({ length: 60 }, (_, i) => `${i}. 32-28 {move ${i * i} ünd so}`).join("\n");

test("what is packed comes back", async () => {
  expect(await unpack(await pack(text))).toEqual({ text, whole: true });
});

test("of a link that is cut off anywhere the part before the cut comes back", async () => {
  const packed = await pack(text);
  for (const share of [0.3, 0.5, 0.75, 0.95]) {
    const found = await unpack(packed.slice(0, Math.floor(packed.length * share)));
    expect(found.whole).toBe(false);
    const good = found.text.replace(/\ufffd+$/, "");
    expect(text.startsWith(good)).toBe(true);
    expect(good.length).toBeGreaterThan(text.length * share * 0.4);
  }
});

test("what is no link at all is nothing, and no failure", async () => {
  for (const packed of ["", "!", "nonsense", "%%%", "AAAAA"]) {
    expect((await unpack(packed)).whole && packed !== "").toBe(false);
  }
});
