// What this browser keeps, in IndexedDB: games in progress, finished ones, studies.

import { Refused } from "../api/api";
import type { TreeData } from "../types";
import type { SavedGame } from "./session";

export type StoredGame = {
  id: number;
  game: string;
  seats: string[];
  start: string | null;
  moves: string[];
  keys: string[]; // of all its positions, so that a game is found by one
  winner: number | null;
  reason: string;
  date: string;
};
export type SavedStudy = { key: string; tree: TreeData; updated: number };

const NAME = "boardzero";
const VERSION = 1;

export class Database {
  #opened: Promise<IDBDatabase> | null = null;

  saveGame(game: SavedGame): Promise<unknown> {
    return this.#write("games", (store) => store.put(game));
  }
  game(id: string): Promise<SavedGame | undefined> {
    return this.#read("games", (store) => store.get(id));
  }
  recentGames(limit: number): Promise<SavedGame[]> {
    return this.#newest("games", limit);
  }

  saveStudy(study: SavedStudy): Promise<unknown> {
    return this.#write("studies", (store) => store.put(study));
  }
  study(key: string): Promise<SavedStudy | undefined> {
    return this.#read("studies", (store) => store.get(key));
  }
  recentStudies(limit: number): Promise<SavedStudy[]> {
    return this.#newest("studies", limit);
  }
  deleteStudy(key: string): Promise<unknown> {
    return this.#write("studies", (store) => store.delete(key));
  }

  store(game: Omit<StoredGame, "id">): Promise<unknown> {
    return this.#write("stored", (store) => store.add(game));
  }
  stored(id: number): Promise<StoredGame | undefined> {
    return this.#read("stored", (store) => store.get(id));
  }
  deleteStored(id: number): Promise<unknown> {
    return this.#write("stored", (store) => store.delete(id));
  }
  /** The newest first; `before` goes on where an earlier page ended. */
  async listStored(wanted: (game: StoredGame) => boolean, limit: number, before?: number) {
    const range = before === undefined ? null : IDBKeyRange.upperBound(before, true);
    const store = await this.#store("stored", "readonly");
    return collected(store.openCursor(range, "prev"), limit, wanted);
  }
  /** The newest games that pass through a position. */
  async withPosition(key: string, game: string, limit: number): Promise<StoredGame[]> {
    const store = await this.#store("stored", "readonly");
    const cursor = store.index("keys").openCursor(key, "prev");
    return collected<StoredGame>(cursor, limit, (one) => one.game === game);
  }

  async #newest<T>(name: string, limit: number): Promise<T[]> {
    const store = await this.#store(name, "readonly");
    return collected<T>(store.index("updated").openCursor(null, "prev"), limit, () => true);
  }

  async #read<T>(name: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return done(ask(await this.#store(name, "readonly")));
  }

  /** Done when it is on disk. */
  async #write<T>(name: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const store = await this.#store(name, "readwrite");
    const request = ask(store);
    await new Promise<void>((resolve, reject) => {
      store.transaction.oncomplete = () => resolve();
      store.transaction.onabort = () => reject(refused(store.transaction.error));
    });
    return request.result;
  }

  async #store(name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.#opened ??= open();
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return (await this.#opened).transaction(name, mode).objectStore(name);
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    const database = request.result;
    database.createObjectStore("games", { keyPath: "id" }).createIndex("updated", "updated");
    database.createObjectStore("studies", { keyPath: "key" }).createIndex("updated", "updated");
    database
      .createObjectStore("stored", { keyPath: "id", autoIncrement: true })
      .createIndex("keys", "keys", { multiEntry: true });
  };
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(refused(request.error));
  });
}

function collected<T>(
  request: IDBRequest<IDBCursorWithValue | null>,
  limit: number,
  wanted: (value: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || found.length === limit) return resolve(found);
      if (wanted(cursor.value)) found.push(cursor.value);
      cursor.continue();
    };
    request.onerror = () => reject(refused(request.error));
  });
}

const refused = (error: DOMException | null) =>
  new Refused(`this browser cannot keep it: ${error?.message || error?.name || "no reason given"}`);
