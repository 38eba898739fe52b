// What goes between the page and the worker that stands in for a server. A conversation has the number
// of the call that began it.

export type ToWorker =
  | { kind: "call"; id: number; path: [group: string, name: string]; given: unknown[] }
  | { kind: "connect"; id: number; path: [group: string, name: string]; given: unknown[] }
  | { kind: "send"; id: number; message: unknown }
  | { kind: "close"; id: number };

export type FromWorker =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "refused"; id: number; sentence: string; unknown: boolean }
  | { kind: "heard"; id: number; message: unknown }
  | { kind: "online"; id: number; open: boolean };
