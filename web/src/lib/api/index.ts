// The one thing outside that the page talks to: a server (`server.ts`) or, on a site without one, the
// page's own worker (`local.ts`). Which of them is decided when the page is built.

export { api } from "#api";
export { type Connection, Refused } from "./api";
