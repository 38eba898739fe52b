// Games and positions as the page draws them; as boardzero.server.views makes them.

import type {
  AnalysisView,
  BoardView,
  EndingView,
  ForcedView,
  MoveView,
  PositionView,
  TablesView,
} from "../types";
import type { Choice, Move } from "./core";
import type { State } from "./game";

const WAYS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;
const SHOWN = 100; // candidates, which is all that a heat map needs

export function endingOf(state: State): EndingView | null {
  const outcome = state.outcome;
  return outcome && { winner: outcome.winner, reason: outcome.reason, cells: winningRow(state) };
}

/** The stones in a row that the last one completed, where that is how the game was won. */
function winningRow({ outcome, lastMove, pieces, game }: State): number[] {
  const last = lastMove?.path[0];
  if (outcome?.reason !== "line" || last === undefined) return [];
  const own = pieces.filter(({ owner }) => owner === outcome.winner).map(({ cell }) => cell);
  const stones = new Map(own.map((cell) => [String(game.geometry.place(cell)), cell]));
  const [row, column] = game.geometry.place(last);
  const side = (down: number, right: number): number[] => {
    const found: number[] = [];
    for (let n = 1; ; n++) {
      const stone = stones.get(String([row + n * down, column + n * right]));
      if (stone === undefined) return found;
      found.push(stone);
    }
  };
  const rows = WAYS.map(([d, r]) => [...side(-d, -r).reverse(), last, ...side(d, r)]);
  return rows.reduce((longest, one) => (one.length > longest.length ? one : longest));
}

export function boardView(state: State, ending: EndingView | null = null): BoardView {
  return {
    fen: state.fen,
    to_move: state.toMove,
    pieces: [...state.pieces],
    last: state.lastMove && moveView(state.lastMove),
    ending: ending ?? endingOf(state),
    counters: state.counters.map(({ name, counts }) => ({ name, counts: [...counts] })),
  };
}

/** A position with its legal moves; none, if the game ended by something off the board. */
export function positionView(state: State, ending: EndingView | null = null): PositionView {
  const board = boardView(state, ending);
  const moves = board.ending ? [] : state.moves.map(moveView);
  return { ...board, moves, forced: forcedOf(state, moves), tables: null };
}

/** A position with all that is known of it. */
export async function studiedView(state: State): Promise<PositionView> {
  await state.game.tables();
  return { ...positionView(state), tables: tablesView(state) };
}

function tablesView(state: State): TablesView | null {
  const value = state.outcome ? null : state.certain(state.toMove);
  if (value === null) return null;
  const keeps = state.moves.filter((move) => state.after(move).certain(state.toMove) === value);
  return {
    result: value > 0 ? "win" : value < 0 ? "loss" : "draw",
    keeps: keeps.map(({ text }) => text),
    only: keeps.length < state.moves.length,
  };
}

export const moveView = ({ text, path, captured }: Move): MoveView => ({
  text,
  path: [...path],
  captured: [...captured],
});

export function analysisView(choice: Choice, state: State): AnalysisView {
  const { move, value, pv, depth, nodes, time } = choice;
  const only = { move, visits: 0, value, prior: null };
  const candidates = choice.candidates.length ? choice.candidates : [only];
  return {
    kind: "analysis",
    candidates: candidates.slice(0, SHOWN).map((one) => ({ ...one, move: moveView(one.move) })),
    value,
    pv: [...pv],
    depth,
    nodes,
    time,
    ply: state.plies,
    fen: state.fen,
    mover: state.toMove,
  };
}

function forcedOf(state: State, moves: MoveView[]): ForcedView | null {
  const { must_capture, largest_capture } = state.game.traits;
  if (!must_capture || !moves[0]?.captured.length) return null;
  return {
    rule: largest_capture ? "largest" : "any",
    captures: Math.max(...moves.map(({ captured }) => captured.length)),
    cells: [...new Set(moves.map(({ path }) => path[0] ?? 0))].sort((a, b) => a - b),
  };
}
