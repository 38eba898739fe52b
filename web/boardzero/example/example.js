// A whole page with a player: choose a game and an opponent, then click a piece and where it goes.

import { load } from "../dist/index.js";

const find = (id) => document.getElementById(id);
const boardzero = await load();
let state;
let player;
let chosen = []; // cells clicked of a move

find("game").append(
  ...boardzero.games.map(({ name, title }) => new Option(title, name, name === "english")),
);
find("game").value = "english";
find("game").onchange = () => begin();
find("level").onchange = () => begin(find("level").value);
await begin();

async function begin(level) {
  const game = await boardzero.game(find("game").value);
  find("level").replaceChildren(...game.levels.map(({ name }) => new Option(name)));
  find("level").value = level ?? "club";
  player?.close();
  player = await game.player(find("level").value);
  await show(await game.start());
}

async function show(next) {
  state = next;
  chosen = [];
  draw();
  const { outcome, game } = state;
  if (outcome) {
    const winner = outcome.winner === null ? "Nobody" : game.traits.seats[outcome.winner];
    return tell(`${winner} wins: ${outcome.reason}.`);
  }
  if (state.mover === 0) return tell("Your move.");
  tell("Thinking …");
  const mine = player;
  try {
    const choice = await mine.choose(state, { time: 1 });
    if (mine === player) await show(await state.play(choice.move));
  } catch (error) {
    if (mine === player) tell(error.message);
  }
}

// Moves whose path begins with the cells clicked; a click that leaves one whole move plays it.
function fitting(cells) {
  return state.moves.filter(({ path }) => cells.every((cell, i) => path[i] === cell));
}

async function click(cell) {
  const wanted = [...chosen, cell];
  const last = fitting(chosen).filter(({ path }) => chosen.length > 0 && path.at(-1) === cell);
  if (last.length === 1) return show(await state.play(last[0]));
  chosen = fitting(wanted).length > 0 ? wanted : fitting([cell]).length > 0 ? [cell] : [];
  const [only] = fitting(chosen);
  if (only && only.path.length === chosen.length) return show(await state.play(only));
  draw();
}

function draw() {
  const { kind, rows, columns, cells } = state.game.geometry;
  const hexes = kind === "hexes";
  const width = hexes ? columns * 1.5 : columns;
  find("board").setAttribute("viewBox", `0 0 ${width} ${rows}`);
  const pieces = new Map(state.pieces.map((piece) => [piece.cell, piece]));
  const next = state.mover === 0 ? state.moves : [];
  const back = element("rect", { class: "light", width, height: rows });
  find("board").replaceChildren(
    back,
    ...cells.map(({ cell, row, column, label }) => {
      const x = hexes ? column + (row - (rows - 1) / 2) / 2 + width / 2 - columns / 2 : column;
      const open =
        next.some(({ path }) => path[0] === cell) ||
        (chosen.length > 0 && fitting(chosen).some(({ path }) => path.slice(1).includes(cell)));
      const state_ = `${open ? "playable" : ""} ${chosen.includes(cell) ? "chosen" : ""}`;
      const group = element("g", { transform: `translate(${x} ${row})`, class: state_ });
      group.append(element("rect", { class: "dark", x: 0.02, y: 0.02, width: 0.96, height: 0.96 }));
      const piece = pieces.get(cell);
      if (piece) {
        const center = { cx: 0.5, cy: 0.5 };
        const look = { class: state.game.traits.seats[piece.owner], "stroke-width": 0.05 };
        group.append(element("circle", { ...center, ...look, r: 0.38 }));
        if (piece.kind === "king")
          group.append(element("circle", { ...center, class: "king", r: 0.2 }));
      }
      if (open) {
        group.setAttribute("role", "button");
        group.setAttribute("tabindex", "0");
        group.setAttribute("aria-label", label);
        group.onclick = () => click(cell);
        group.onkeydown = (event) => event.key === "Enter" && click(cell);
      }
      return group;
    }),
  );
}

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function tell(text) {
  find("says").textContent = text;
}
