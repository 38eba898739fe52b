// The games that there are, made by their specs, as the page shows them.

import type { BoardZero, Option } from "boardzero";
import { writeSpec } from "boardzero/specs";
import { Refused } from "../api/api";
import type { GameInfo, Line } from "../types";
import type { GameRules } from "./core";
import { Game, type State } from "./game";
import { positionView } from "./views";

/** The spec without what only says how games end: equal for games that play alike. */
function playedBy({ name, rules }: Game, options: readonly Option[]): string {
  const chosen = options.filter(
    (option) => !option.ends_only && rules.options[option.name] !== option.default,
  );
  const values = chosen.map((option) => [option.name, String(rules.options[option.name])] as const);
  return writeSpec({ name, options: new Map(values) });
}

/** Gives the positions of a game. */
export type Rules = (spec: string) => GameRules;

export class Games {
  #made = new Map<string, Promise<Game>>();

  constructor(
    private readonly core: BoardZero,
    private readonly rules: Rules,
  ) {}

  open(spec: string): Promise<Game> {
    let made = this.#made.get(spec);
    if (!made) {
      made = this.core.game(spec).then((game) => new Game(game, this.rules(game.spec)));
      made.catch(() => this.#made.delete(spec));
      this.#made.set(spec, made);
    }
    return made;
  }

  /** Every game, with its usual options. */
  all(): Promise<Game[]> {
    return Promise.all(this.core.games.map(({ name }) => this.open(name)));
  }

  info(game: Game): GameInfo {
    const family = this.core.games.find(({ name }) => name === game.name);
    const { seats, analysts, editable, pieces, text, diagrams } = game.traits;
    return structuredClone({
      name: game.name,
      spec: game.spec,
      plays: playedBy(game, family?.options ?? []),
      title: game.rules.title,
      summary: family?.summary ?? "",
      seats,
      options: (family?.options ?? []).map((option) => ({
        ...option,
        default: String(option.default),
      })),
      geometry: game.rules.geometry,
      start: positionView(game.start()),
      levels: game.rules.levels,
      analysts,
      editable,
      pieces,
      text,
      diagrams,
    }) as GameInfo;
  }

  /** The state to which a line leads; says which move is wrong. */
  async stateOf({ game, fen = null, moves = [] }: Line): Promise<State> {
    const state = (await this.open(game)).start(fen);
    for (const [index, text] of moves.entries()) {
      try {
        state.play(text);
      } catch (error) {
        throw new Refused(`move ${index + 1}: ${(error as Error).message}`);
      }
    }
    return state;
  }
}
