// The one thing outside that the page talks to.

import type { Api } from "./api";
import { server } from "./server";

export { type Connection, Refused } from "./api";

export const api: Api = server;
