// A study as a link that carries all of it: its file, compressed, behind the #.

import { api } from "./api";
import type { ReadTrees, TreeData } from "./types";

const LONGEST = 30_000; // characters that browsers and mail programs pass on
const PIECE = 64; // bytes that are unpacked at a time

export async function linkTo(tree: TreeData, at: number): Promise<string | null> {
  const { text } = await api.study.write(tree);
  const packed = await pack(text);
  if (packed.length > LONGEST) return null;
  const query = new URLSearchParams({ game: tree.game, tree: packed, at: String(at) });
  return `${location.origin}${location.pathname}#/study?${query}`;
}

export type FromLink = ReadTrees & { whole: boolean }; // not whole: cut off or damaged further on

/** What a link carries; of a damaged one, the part before the damage. */
export async function fromLink(packed: string, game: string): Promise<FromLink> {
  const { text, whole } = await unpack(packed);
  return { ...(await api.study.read({ game, text })), whole };
}

export async function unpack(packed: string): Promise<{ text: string; whole: boolean }> {
  const { bytes, whole: readable } = decode(packed);
  const { readable: out, writable } = new DecompressionStream("deflate-raw");
  const parts: Uint8Array[] = [];
  const reader = out.getReader();
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
    }
  })().catch(() => {}); // the writer is told the same
  const writer = writable.getWriter();
  let whole = readable;
  try {
    // Piece by piece, so that what comes before a fault is there.
    for (let at = 0; at < bytes.length; at += PIECE) {
      await writer.write(bytes.slice(at, at + PIECE));
    }
    await new Promise((done) => setTimeout(done));
    await writer.close();
  } catch {
    whole = false;
  }
  await reading;
  return {
    text: new TextDecoder().decode(await new Blob(parts as BlobPart[]).arrayBuffer()),
    whole,
  };
}

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return encode(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function encode(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a text up to its first character that is none of the code. */
function decode(text: string): { bytes: Uint8Array<ArrayBuffer>; whole: boolean } {
  const good = /^[\w-]*/.exec(text)?.[0] ?? "";
  const even = good.length % 4 === 1 ? good.slice(0, -1) : good;
  const plain = atob(even.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(plain, (character) => character.charCodeAt(0));
  return { bytes, whole: even === text };
}
