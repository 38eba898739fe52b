// A study as a link that carries all of it: its file, compressed, behind the #.

import { api } from "./api";
import type { ReadTrees, TreeData } from "./types";

const LONGEST = 30_000; // characters that browsers and mail programs pass on

export async function linkTo(tree: TreeData, at: number): Promise<string | null> {
  const { text } = await api.study.write(tree);
  const packed = encode(
    await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")),
  );
  if (packed.length > LONGEST) return null;
  const query = new URLSearchParams({ game: tree.game, tree: packed, at: String(at) });
  return `${location.origin}${location.pathname}#/study?${query}`;
}

export async function fromLink(packed: string, game: string): Promise<ReadTrees> {
  const bytes = await through(decode(packed), new DecompressionStream("deflate-raw"));
  return api.study.read({ game, text: new TextDecoder().decode(bytes) });
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  change: GenericTransformStream,
): Promise<Uint8Array> {
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(change as unknown as TransformStream<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function encode(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}
