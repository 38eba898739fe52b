// What a person prefers, kept in this browser.

type Theme = "auto" | "light" | "dark";

function load<T extends string>(key: string, fallback: T): T {
  try {
    return (localStorage.getItem(`boardzero.${key}`) as T | null) ?? fallback;
  } catch {
    return fallback;
  }
}

function save(key: string, value: string) {
  try {
    localStorage.setItem(`boardzero.${key}`, value);
  } catch {
    // A browser without storage forgets; nothing else changes.
  }
}

class Settings {
  #theme = $state<Theme>(load<Theme>("theme", "auto"));
  #sound = $state(load<"on" | "off">("sound", "off") === "on");
  #coordinates = $state(load<"on" | "off">("coordinates", "on") === "on");

  get theme() {
    return this.#theme;
  }
  set theme(value: Theme) {
    this.#theme = value;
    save("theme", value);
    this.apply();
  }
  get sound() {
    return this.#sound;
  }
  set sound(value: boolean) {
    this.#sound = value;
    save("sound", value ? "on" : "off");
  }
  get coordinates() {
    return this.#coordinates;
  }
  set coordinates(value: boolean) {
    this.#coordinates = value;
    save("coordinates", value ? "on" : "off");
  }

  get dark() {
    return (
      this.#theme === "dark" ||
      (this.#theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches)
    );
  }

  apply() {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }
}

export const settings = new Settings();
settings.apply();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => settings.apply());
