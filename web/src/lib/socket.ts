// A web socket that comes back by itself, so that a restart of the server costs a moment and no game.

export type Frame = { type: string } & Record<string, unknown>;

export class Socket {
  #socket: WebSocket | null = null;
  #path: string;
  #hear: (frame: Frame) => void;
  #state: (open: boolean) => void;
  #closed = false;
  #wait = 250;
  #pending: string[] = [];

  constructor(
    path: string,
    hear: (frame: Frame) => void,
    state: (open: boolean) => void = () => {},
  ) {
    this.#path = path;
    this.#hear = hear;
    this.#state = state;
    this.#open();
  }

  send(frame: Frame) {
    const text = JSON.stringify(frame);
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
      this.#state(true);
      for (const text of this.#pending.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data) as Frame);
    socket.onclose = (event) => {
      if (this.#closed || event.code === 4404) return;
      this.#state(false);
      setTimeout(() => !this.#closed && this.#open(), this.#wait);
      this.#wait = Math.min(4000, this.#wait * 2);
    };
  }
}
