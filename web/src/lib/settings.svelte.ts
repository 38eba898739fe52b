// What a person prefers, kept in this browser.

import { recall, remember } from "./storage";

type Theme = "auto" | "light" | "dark";

class Settings {
  #theme = $state<Theme>((recall("theme") ?? "auto") as Theme);
  #sound = $state(recall("sound") === "on");
  #coordinates = $state(recall("coordinates") !== "off");

  get theme() {
    return this.#theme;
  }
  set theme(value: Theme) {
    this.#theme = value;
    remember("theme", value);
    this.apply();
  }
  get sound() {
    return this.#sound;
  }
  set sound(value: boolean) {
    this.#sound = value;
    remember("sound", value ? "on" : "off");
  }
  get coordinates() {
    return this.#coordinates;
  }
  set coordinates(value: boolean) {
    this.#coordinates = value;
    remember("coordinates", value ? "on" : "off");
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
