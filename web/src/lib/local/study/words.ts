// Reasons in words. The sentences are those of boardzero.study.words: the site's data holds them.

export type Words = {
  numbers: Record<string, string[]>;
  nouns: Record<string, Record<string, string[]>>; // men, pieces: one, and more
  seats: Record<string, Record<string, string>>;
  outcomes: Record<string, Record<string, string>>;
  sentences: Record<string, Record<string, string>>;
};

/** Why a move was wrong: a kind, and what its sentence needs. */
export type Reason = { kind: string; values: Record<string, string | number> };

/** What is said to a person, in each language. */
export function sentences(reason: Reason, words: Words): Record<string, string> {
  const templates = words.sentences[reason.kind] ?? {};
  return Object.fromEntries(
    Object.entries(templates).map(([language, template]) => {
      const text = template.replace(
        /\{(?:(\w+):)?(\w+)\}/g,
        (_, kind: string | undefined, name: string) =>
          field(kind, reason.values[name] ?? "", language, words),
      );
      const starts = template.startsWith("{seat");
      return [language, starts ? text.slice(0, 1).toUpperCase() + text.slice(1) : text];
    }),
  );
}

function field(
  kind: string | undefined,
  value: string | number,
  language: string,
  words: Words,
): string {
  const nouns = kind && words.nouns[kind]?.[language];
  if (nouns && typeof value === "number") {
    return `${words.numbers[language]?.[value] ?? value} ${nouns[value === 1 ? 0 : 1]}`;
  }
  if (kind === "seat") return words.seats[language]?.[value] ?? String(value);
  return words.outcomes[value]?.[language] ?? String(value);
}
