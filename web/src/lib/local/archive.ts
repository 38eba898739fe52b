// The games that are kept: finished ones go in, are listed, and are found by a position in them; as
// boardzero.server.stored.

import { Refused } from "../api/api";
import type { EndingView, ExploredMove, FoundGame, ListedGame } from "../types";
import type { Database, StoredGame } from "./database";
import type { State } from "./game";
import type { OpenGame } from "./notation/files";
import { Tree, type TreeNode } from "./notation/tree";
import type { Session } from "./session";

const FOUND = 50;
const EXPLORED = 2000; // games that an explorer counts
const LISTED = 50;

export class Archive {
  constructor(
    private readonly database: Database,
    private readonly open: OpenGame,
  ) {}

  /** Keep a finished game. */
  async add(session: Session, { winner, reason }: EndingView) {
    const state = session.game.start(session.start);
    const keys = [state.key];
    for (const move of session.state.history) {
      state.play(move);
      keys.push(state.key);
    }
    await this.database.store({
      game: session.game.spec,
      seats: session.seats,
      start: session.start,
      moves: session.state.history.map(({ text }) => text),
      keys,
      winner,
      reason,
      date: new Date(session.updated * 1000).toISOString(),
    });
  }

  async listed(game: string, before?: number, player?: string): Promise<ListedGame[]> {
    const spec = game && (await this.open(game)).spec;
    const wanted = (one: StoredGame) =>
      (!spec || one.game === spec) && (!player || one.seats.includes(player));
    const found = await this.database.listStored(wanted, LISTED, before);
    return found.map(({ id, game, seats, moves, reason, date, winner }) => ({
      id,
      game,
      seats,
      plies: moves.length,
      result: resultOf(winner, seats.length),
      reason,
      date,
    }));
  }

  /** The newest games that pass through a position. */
  async search(wanted: State): Promise<FoundGame[]> {
    const found = await this.database.withPosition(wanted.key, wanted.game.spec, FOUND);
    return found.map(({ id, game, seats, moves, keys, winner }) => ({
      id,
      game,
      seats,
      ply: keys.indexOf(wanted.key),
      plies: moves.length,
      result: resultOf(winner, seats.length),
    }));
  }

  /** What was played in a position, the most frequent first. */
  async explore(wanted: State): Promise<ExploredMove[]> {
    const found = await this.database.withPosition(wanted.key, wanted.game.spec, EXPLORED);
    const moves = new Map<string, ExploredMove>();
    for (const { seats, moves: played, keys, winner } of found) {
      const move = played[keys.indexOf(wanted.key)];
      if (move === undefined) continue;
      const known = moves.get(move) ?? { move, games: 0, wins: seats.map(() => 0), draws: 0 };
      moves.set(move, {
        move,
        games: known.games + 1,
        wins: known.wins.map((wins, seat) => wins + Number(seat === winner)),
        draws: known.draws + Number(winner === null),
      });
    }
    return [...moves.values()].sort((a, b) => b.games - a.games);
  }

  /** A stored game, with its names, its date and how it ended. */
  async tree(id: number): Promise<Tree> {
    const stored = await this.database.stored(id);
    if (!stored) throw new Refused(`there is no game ${id}`, true);
    const game = await this.open(stored.game);
    const tags = game.seats.map((seat, index): [string, string] => [
      seat.slice(0, 1).toUpperCase() + seat.slice(1),
      stored.seats[index] ?? "",
    ]);
    const tree = new Tree(game, {
      start: game.start(stored.start),
      tags: [...tags, ["Date", stored.date.slice(0, 10).replaceAll("-", ".")]],
      result: resultOf(stored.winner, stored.seats.length).replaceAll("½", "1/2"),
    });
    let node: TreeNode = tree.root;
    for (const move of stored.moves) node = node.add(move);
    node.comment = stored.reason;
    return tree;
  }
}

function resultOf(winner: number | null, seats: number): string {
  if (winner === null) return "½-½";
  return Array.from({ length: seats }, (_, seat) => (seat === winner ? "1" : "0")).join("-");
}
