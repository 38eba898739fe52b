// A web socket that comes back by itself, so that a restart of the server costs a moment and no game.

import type { Connection, Listener } from "./api";

export class Socket<Sent, Heard> implements Connection<Sent> {
  #socket: WebSocket | null = null;
  #path: string;
  #listener: Listener<Heard>;
  #closed = false;
  #wait = 250;
  #pending: string[] = [];

  constructor(path: string, listener: Listener<Heard>) {
    this.#path = path;
    this.#listener = listener;
    this.#open();
  }

  send(message: Sent) {
    const text = JSON.stringify(message);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#pending = [...this.#pending.slice(-4), text];
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.#path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 250;
      this.#listener.online(true);
      for (const text of this.#pending.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => this.#listener.hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.#closed || event.code === 4404) return;
      this.#listener.online(false);
      setTimeout(() => !this.#closed && this.#open(), this.#wait);
      this.#wait = Math.min(4000, this.#wait * 2);
    };
  }
}
