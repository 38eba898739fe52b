// Positions straight from the compiled core, without waiting. What is no longer used is given back
// when the browser collects it.

import { type Catalog, type GameFacts, gameFacts } from "boardzero/catalog";
import { Core } from "boardzero/core";
import type { StateView } from "boardzero/protocol";
import type { Move, Position } from "./core";
import type { Rules } from "./games";

type Pointer = number;

const IDLE = { progress: () => undefined, interrupted: () => false }; // nothing is searched here

const UNKNOWN = 2; // what tables say of a position that they do not know

/** `fetchFile` gives a file of the core by its path. */
export function rulesOf(
  module: WebAssembly.Module,
  catalog: Catalog,
  fetchFile: (path: string) => Promise<Uint8Array>,
): Rules {
  const core = new Core(module, IDLE);
  const unused = new FinalizationRegistry<Pointer>((pointer) => core.call("state_free", pointer));

  class CorePosition implements Position {
    #view: Omit<StateView, "last"> | null = null;

    constructor(
      private readonly facts: GameFacts,
      private readonly pointer: Pointer,
      private readonly tables: { pointer: Pointer },
    ) {
      unused.register(this, pointer);
    }

    get toMove() {
      return this.#seen.mover;
    }
    get fen() {
      return this.#seen.fen;
    }
    get key() {
      return this.#seen.key;
    }
    get outcome() {
      return this.#seen.outcome;
    }
    get pieces() {
      return this.#seen.pieces;
    }
    get moves() {
      return this.#seen.moves;
    }
    get counters() {
      const fields = this.fen.split(" ");
      return this.facts.counters.map(({ name, field }) => ({
        name,
        counts: (fields[field] ?? "").split(",").map(Number),
      }));
    }

    get certain() {
      if (!this.tables.pointer) return null;
      const value = core.call("tables_probe", this.tables.pointer, this.pointer) as number;
      return value === UNKNOWN ? null : value;
    }

    parse(text: string): Move {
      return core.ask<Move>("state_parse", this.pointer, text);
    }

    after(move: Move): Position {
      const next = core.make("state_clone", this.pointer);
      try {
        core.ask("state_play", next, move.text);
      } catch (error) {
        core.call("state_free", next);
        throw error;
      }
      return new CorePosition(this.facts, next, this.tables);
    }

    get #seen() {
      this.#view ??= core.ask<Omit<StateView, "last">>("state_view", this.pointer);
      return this.#view;
    }
  }

  return (spec) => {
    const facts = gameFacts(catalog, spec);
    const first = core.make("state_new", facts.settings); // from which FENs are read
    const tables = { pointer: 0 };
    const start = new CorePosition(facts, core.make("state_clone", first), tables);
    let loading: Promise<void> | null = null;
    const load = async () => {
      const files = await Promise.all(facts.tables.map(fetchFile));
      if (!files.length) return;
      const made = core.make("tables_new", first);
      for (const [i, bytes] of files.entries()) {
        core.call("tables_add", made, facts.tables[i] ?? "", bytes);
      }
      tables.pointer = made;
    };
    return {
      position: (fen) =>
        fen === null
          ? start
          : new CorePosition(facts, core.make("state_with_fen", first, fen), tables),
      tables: () => {
        loading ??= load().catch(() => {
          loading = null; // without a network there are none, and all else goes on
        });
        return loading;
      },
    };
  };
}
