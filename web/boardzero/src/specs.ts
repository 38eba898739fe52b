// Spec strings, as everywhere in BoardZero: a name and options, `gomoku:size=15,rule=renju`. A value
// that holds a comma, a colon or an equals sign stands in double quotes.

import type { Option } from "./types.js";

export type Value = number | boolean | string;
export type Values = Readonly<Record<string, Value>>;

/** An option and whether its numbers are whole. */
export type TypedOption = Option & { readonly kind: "int" | "float" | "bool" | "str" };

export interface Spec {
  readonly name: string;
  readonly options: ReadonlyMap<string, string>;
}

const KEY = /\s*([A-Za-z_][\w-]*)\s*=/y;
const QUOTED = /\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/y;
const PLAIN = /([^,"]*)(?:,|$)/y;
const LARGEST = { int: 2 ** 31 - 1, float: 1e9 };

export function parseSpec(text: string): Spec {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(":");
  const name = colon < 0 ? trimmed : trimmed.slice(0, colon);
  const rest = colon < 0 ? "" : trimmed.slice(colon + 1);
  if (!name) throw new Error(`'${text}' does not start with a name`);
  const options = new Map<string, string>();
  const take = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(rest);
  };
  for (let at = 0; at < rest.length; ) {
    const key = take(KEY, at);
    const end = at + (key?.[0].length ?? 0);
    const quoted = key && take(QUOTED, end);
    const value = quoted ?? (key && take(PLAIN, end));
    if (!key?.[1] || value?.[1] === undefined) {
      throw new Error(`in '${text}', '${rest.slice(at)}' is not of the form option=value`);
    }
    if (options.has(key[1])) {
      throw new Error(`in '${text}', the option '${key[1]}' is given twice`);
    }
    options.set(key[1], quoted ? value[1].replace(/\\(.)/g, "$1") : value[1].trim());
    at = end + value[0].length;
  }
  if (colon >= 0 && options.size === 0) {
    throw new Error(`'${text}' has a colon but no option=value behind it`);
  }
  return { name, options };
}

export function writeSpec({ name, options }: Spec): string {
  const written = (value: string) =>
    /[,":=\s]/.test(value) ? `"${value.replace(/[\\"]/g, "\\$&")}"` : value;
  const pairs = [...options].map(([key, value]) => `${key}=${written(value)}`);
  return pairs.length > 0 ? `${name}:${pairs.join(",")}` : name;
}

/** The value of every option, given or default; refuses unknown names and wrong values. */
export function readOptions(spec: Spec, options: readonly TypedOption[]): Values {
  for (const name of spec.options.keys()) {
    if (!options.some((option) => option.name === name)) {
      const known = options.map((option) => option.name).join(", ") || "none";
      throw new Error(`there is no option of ${spec.name} '${name}'; there are ${known}`);
    }
  }
  return Object.fromEntries(
    options.map((option) => {
      const given = spec.options.get(option.name);
      return [option.name, given === undefined ? option.default : convert(spec, option, given)];
    }),
  );
}

/** The spec with only those options that differ from their defaults, in the order of the family. */
export function canonical(name: string, values: Values, options: readonly TypedOption[]): string {
  const chosen = options.filter((option) => values[option.name] !== option.default);
  return writeSpec({
    name,
    options: new Map(chosen.map((option) => [option.name, String(values[option.name])])),
  });
}

function convert(spec: Spec, option: TypedOption, text: string): Value {
  const where = `option '${option.name}' of ${spec.name}`;
  if (option.choices.length > 0 && !option.choices.includes(text)) {
    throw new Error(
      `there is no value of ${where} '${text}'; there are ${option.choices.join(", ")}`,
    );
  }
  if (option.kind === "str") return text;
  if (option.kind === "bool") {
    if (text !== "true" && text !== "false") {
      throw new Error(`${where} must be true or false, not '${text}'`);
    }
    return text === "true";
  }
  const value = Number(text);
  const whole = option.kind === "int";
  if (text.trim() === "" || Number.isNaN(value) || (whole && !/^\s*[+-]?\d+\s*$/.test(text))) {
    throw new Error(`${where} must be ${whole ? "a whole number" : "a number"}, not '${text}'`);
  }
  const low = option.low ?? -LARGEST[option.kind];
  const high = option.high ?? LARGEST[option.kind];
  if (low <= value && value <= high) return value;
  let allowed = value < low ? `at least ${low}` : `at most ${high}`;
  if (option.low !== null && option.high !== null) allowed = `from ${low} to ${high}`;
  throw new Error(`${where} must be ${allowed}, not ${text}`);
}
