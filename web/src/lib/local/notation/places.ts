// Where something stands in a text, for a sentence about it.

export class Places {
  #begins: number[];

  constructor(text: string) {
    this.#begins = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  of(at: number): string {
    const line = this.#begins.findLastIndex((begin) => begin <= at);
    return `line ${line + 1}, column ${at - (this.#begins[line] ?? 0) + 1}`;
  }
}
