// From a player's spec to the search that the core makes for it, as boardzero/players does.

import { type Catalog, type GameFacts, named, settings, type Thinking } from "./catalog.js";
import type { Budget, Evaluation, Plan } from "./protocol.js";
import { parseSpec, readOptions, type Spec, type Values, writeSpec } from "./specs.js";
import type { Limit } from "./types.js";

/** A player before it is given a worker. */
export interface PlayerPlan {
  spec: string;
  /** Null for one that searches nothing and picks any move. */
  plan: Plan | null;
  seed: number | null;
  /** What the spec says about one move; a limit overrides it point by point. */
  budget: Budget;
  /** Bounds a move that neither spec nor limit bounds; null where the player has a clock. */
  fallback: Budget | null;
  /** Seconds for a game, of a player that has its own clock. */
  clock: number | null;
  /** Whether the values of its moves mean anything. */
  valued: boolean;
}

export const NO_BOUND: Budget = { seconds: null, depth: null, nodes: null };

export function planPlayer(
  catalog: Catalog,
  facts: GameFacts,
  text: string,
  address: (path: string) => string,
  onnx: string,
): PlayerPlan {
  const spec = playerSpec(facts, text);
  const family = named(catalog.players, spec.name, "player");
  const [low, high] = family.seats;
  const seats = facts.traits.seats.length;
  if (seats < low || seats > high) {
    throw new Error(`${spec.name} cannot play ${facts.name}: it has ${seats} players`);
  }
  const options = readOptions(spec, family.options);
  const given = Number(options.seed);
  const seed = given < 0 ? null : given;
  const random = seed ?? Math.floor(Math.random() * 2 ** 48);
  const common = { spec: writeSpec(spec), seed, clock: null, valued: true };
  switch (spec.name) {
    case "random":
      return { ...common, plan: null, budget: NO_BOUND, fallback: NO_BOUND, valued: false };
    case "mcts":
    case "alphachexers":
      return { ...common, ...uctPlan(catalog.thinking, spec.name, options, random) };
    case "zero":
      return { ...common, ...zeroPlan(facts, options, seed, address, onnx) };
    default:
      return { ...common, ...searchPlan(facts, spec.name, options, random, address) };
  }
}

/** The spec that somebody has written, or that a level of the game stands for. */
function playerSpec(facts: GameFacts, text: string): Spec {
  const level = facts.levels.find(({ name }) => name === text.trim());
  return parseSpec(level?.spec ?? text);
}

function searchPlan(
  facts: GameFacts,
  kind: string,
  options: Values,
  seed: number,
  address: (path: string) => string,
) {
  const bound = (name: string) => Number(options[name] ?? 0) || null;
  const budget = { seconds: bound("time"), depth: bound("depth"), nodes: bound("nodes") };
  const margin = Number(options.margin ?? 0);
  const engine = kind === "alphabeta" && !isPlain(options, budget, margin);
  const plan: Plan = {
    kind: "search",
    settings: settings({
      kind,
      seed,
      plain: !engine,
      hash: options.hash ?? 0,
      analyse: options.analyse === true || margin > 0,
    }),
    evaluation:
      kind === "greedy" ? null : evaluation(facts, options, engine ? "hand" : "material", address),
    tables: engine && !margin ? facts.tables.map(address) : [],
    reuse: false,
    ...(margin > 0 && { near: { margin, seats: facts.traits.seats.length, seed } }),
    zero: null,
  };
  const depth = kind === "alphabeta" ? 4 : 3;
  const fallback = engine ? { ...NO_BOUND, seconds: 1 } : { ...NO_BOUND, depth };
  return { plan, budget, fallback, valued: kind !== "greedy" };
}

/** With nothing but a depth it is the algorithm of the books. */
function isPlain(options: Values, budget: Budget, margin: number): boolean {
  if (options.mode !== "auto") return options.mode === "plain";
  return !margin && budget.depth !== null && budget.seconds === null && budget.nodes === null;
}

function evaluation(
  facts: GameFacts,
  options: Values,
  auto: string,
  address: (path: string) => string,
): Evaluation {
  const name = String(options.eval);
  if (options.model) {
    if (name !== "auto") throw new Error(`a player takes eval=${name} or a net, not both`);
    return { name: "", net: address(String(options.model)) };
  }
  if (name === "champion") {
    if (!facts.champion?.sparse)
      throw new Error(`${facts.spec} has no champion that is a sparse net`);
    return { name: "", net: address(facts.champion.sparse) };
  }
  return { name: name === "auto" ? `auto:${auto}` : name, net: null };
}

function uctPlan(thinking: Thinking, kind: string, options: Values, seed: number) {
  const ofMann = kind === "alphachexers";
  const leaves = ofMann ? "chexers" : String(options.heuristic);
  const rollouts = leaves === "rollout";
  const usual = thinking.exploration[rollouts ? "rollout" : "evaluation"];
  const { selection, depth, memory, prove } = options as Record<string, string | number | boolean>;
  const plan: Plan = {
    kind: "uct",
    settings: settings({
      selection: selection ?? "",
      c: Number(options.c) || (usual[String(selection)] ?? 1),
      depth: depth ?? 0,
      memory: memory ?? 0,
      prove: prove ?? true,
      prune: ofMann && options.prune === true,
      seed,
    }),
    evaluation: rollouts ? null : { name: leaves, net: null },
    tables: [],
    reuse: ofMann || options.reuse === true,
    zero: null,
  };
  const budget = {
    seconds: Number(options.time) || null,
    depth: null,
    nodes: Number(options.rollouts) || null,
  };
  const fallback = ofMann ? null : { ...NO_BOUND, nodes: thinking.rollouts };
  return { plan, budget, fallback, clock: ofMann ? Number(options.clock) : null };
}

/** A search with a trained model; without a bound it takes what the model's card says. */
function zeroPlan(
  facts: GameFacts,
  options: Values,
  seed: number | null,
  address: (path: string) => string,
  onnx: string,
) {
  const model = options.model ? String(options.model) : facts.champion?.folder;
  if (!model) throw new Error(`${facts.spec} has no champion; give zero:model=FOLDER`);
  const plan: Plan = {
    kind: "puct",
    settings: "",
    evaluation: null,
    tables: facts.tables.map(address),
    reuse: true,
    zero: {
      model: address(model.endsWith("/") ? model : `${model}/`),
      onnx,
      temperature: Number(options.temperature),
      noise: options.noise === true,
      c_puct: Number(options.c_puct),
      memory: Number(options.memory),
      seed,
    },
  };
  const budget = {
    seconds: Number(options.time) || null,
    depth: null,
    nodes: Number(options.sims) || null,
  };
  return { plan, budget, fallback: NO_BOUND };
}

/** What one move may take. */
export function within(own: Budget, limit: Limit, uct: boolean, thinking: Thinking): Budget {
  const counts = [limit.nodes, uct ? limit.simulations : undefined].filter((n) => n !== undefined);
  return {
    seconds: secondsForMove(limit, own.seconds, thinking.clock),
    depth: uct ? null : (limit.depth ?? own.depth),
    nodes: counts.length > 0 ? Math.min(...counts) : own.nodes,
  };
}

/** Seconds for this move. A time in the limit replaces the player's own; a clock bounds either. */
function secondsForMove(limit: Limit, own: number | null, plan: Thinking["clock"]): number | null {
  const time = limit.time ?? own;
  if (!limit.clock) return time;
  const { left: whole, increment = 0 } = limit.clock;
  const moves = limit.clock.moves === undefined ? plan.moves_to_go : Math.max(1, limit.clock.moves);
  const left = Math.max(0, whole - plan.reserve);
  const largest = moves === 1 ? left : left * plan.largest_share;
  const share = Math.min(left / moves + plan.increment_share * increment, largest);
  return time === null ? share : Math.min(time, Math.max(share, whole * plan.largest_share));
}
