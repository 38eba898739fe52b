// Where cells lie on the drawing, for squares, points and hexagons alike. A cell is 100 units wide.

import type { GeometryView } from "../lib/types";

export type Point = { x: number; y: number };
export type Layout = {
  kind: GeometryView["kind"];
  width: number;
  height: number;
  margin: number;
  radius: number; // of a piece
  at: (cell: number) => Point;
  cells: number[];
  labels: Map<number, string>;
  numbered: boolean; // cells have numbers rather than columns and rows
};

const UNIT = 100;
const HEX = UNIT / Math.sqrt(3); // side of a hexagon that is 100 wide

export function layout(geometry: GeometryView, flip = false): Layout {
  const margin = { squares: 44, points: 46, hexes: 54 }[geometry.kind];
  const places = new Map<number, Point>();
  for (const { cell, row, column } of geometry.cells) {
    places.set(cell, raw(geometry, row, column));
  }
  const points = [...places.values()];
  const half = geometry.kind === "hexes" ? { x: UNIT / 2, y: HEX } : { x: UNIT / 2, y: UNIT / 2 };
  const left = Math.min(...points.map((p) => p.x)) - half.x;
  const top = Math.min(...points.map((p) => p.y)) - half.y;
  // The dark squares of a draughts board do not reach every corner; its rectangle does.
  const full = geometry.kind !== "hexes";
  const inner = {
    x: full ? geometry.columns * UNIT : Math.max(...points.map((p) => p.x)) + half.x - left,
    y: full ? geometry.rows * UNIT : Math.max(...points.map((p) => p.y)) + half.y - top,
  };
  const width = inner.x + 2 * margin;
  const height = inner.y + 2 * margin;
  const origin = full ? { x: 0, y: 0 } : { x: left, y: top };
  const labels = new Map(geometry.cells.map(({ cell, label }) => [cell, label]));
  return {
    kind: geometry.kind,
    width,
    height,
    margin,
    radius: { squares: 40, points: 46, hexes: 37 }[geometry.kind],
    cells: geometry.cells.map(({ cell }) => cell),
    labels,
    numbered: [...labels.values()].every((label) => /^\d+$/.test(label)),
    at(cell) {
      const p = places.get(cell) ?? { x: 0, y: 0 };
      const x = p.x - origin.x + margin;
      const y = p.y - origin.y + margin;
      return flip ? { x: width - x, y: height - y } : { x, y };
    },
  };
}

function raw(geometry: GeometryView, row: number, column: number): Point {
  if (geometry.kind === "hexes") return { x: UNIT * (column + row / 2), y: 1.5 * HEX * row };
  return { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
}

/** The corners of a hexagon, pointing up, as an SVG polygon. */
export function hexagon({ x, y }: Point, size = HEX): string {
  return [0, 1, 2, 3, 4, 5]
    .map((i) => {
      const angle = (Math.PI / 3) * i - Math.PI / 2;
      return `${(x + size * Math.cos(angle)).toFixed(2)},${(y + size * Math.sin(angle)).toFixed(2)}`;
    })
    .join(" ");
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";
const HEADING: Record<Direction, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** The cell that an arrow key leads to: near, and as straight on as the board allows. */
export function neighbour(board: Layout, from: number, key: Direction): number {
  const start = board.at(from);
  const heading = HEADING[key];
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of board.cells) {
    const p = board.at(cell);
    const dx = p.x - start.x;
    const dy = p.y - start.y;
    const ahead = dx * heading.x + dy * heading.y;
    const aside = Math.abs(dx * heading.y) + Math.abs(dy * heading.x);
    if (ahead < 10 || aside > ahead * 1.8) continue;
    // A slight preference for the right makes up and down lead back to where one came from.
    const tie = (dx - dy) * 0.001;
    // Up and down may lead to the side, as on a draughts board they must; left and right stay.
    const cost = ahead + (heading.x === 0 ? 0.9 : 1.2) * aside - tie;
    if (cost < least) [best, least] = [cell, cost];
  }
  return best;
}

/** For each leg of a path, the captured cells that it passes over. */
export function passedBy(board: Layout, path: number[], captured: number[]): number[][] {
  return path.slice(1).map((to, i) => {
    const a = board.at(path[i] as number);
    const b = board.at(to);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return captured.filter((cell) => {
      const p = board.at(cell);
      const along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
      const off = Math.abs((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length;
      return along > 1 && along < length - 1 && off < 5;
    });
  });
}
