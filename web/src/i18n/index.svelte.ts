// The texts in the person's language; what a language lacks is shown in English.

import { recall, remember } from "../lib/storage";
import { en, type Key } from "./en";
import { fill, type Values } from "./fill";
import { nl } from "./nl";

const LANGUAGES: Record<string, Partial<Record<Key, string>>> = { en, nl };

function preferred(): string {
  const wanted = [recall("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag) => tag && tag in LANGUAGES) ?? "en";
}

class Language {
  #code = $state(preferred());

  get code() {
    return this.#code;
  }
  set code(code: string) {
    this.#code = code;
    document.documentElement.lang = code;
    remember("language", code);
  }
}

export const language = new Language();
document.documentElement.lang = language.code;

export const languages = Object.keys(LANGUAGES).map((code) => ({
  code,
  name: LANGUAGES[code]?.["language.name"] ?? code,
}));

export function t(key: Key, values: Values = {}): string {
  return fill(LANGUAGES[language.code]?.[key] ?? en[key] ?? key, values, language.code);
}

/** A text for a name that the server sent; the server's own words where there is none. */
export function named(group: string, name: string, otherwise = name, values: Values = {}): string {
  const key = `${group}.${name}` as Key;
  return key in en ? t(key, values) : otherwise;
}
