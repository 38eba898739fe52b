export type Values = Record<string, string | number>;

/** `{n}` is the value of that name; `{n:game|games}` the value, and the word that fits the number. */
export function fill(text: string, values: Values, language: string): string {
  return text.replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, name, one?: string, more?: string) => {
      const value = values[name] ?? "";
      if (one === undefined) return String(value);
      const form = new Intl.PluralRules(language).select(Number(value));
      return `${value} ${form === "one" ? one : more}`;
    },
  );
}
