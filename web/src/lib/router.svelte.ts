// Where the person is: the part of the address behind the #.

export type Place = { page: string; id: string | null; query: URLSearchParams };

function read(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = ""] = path.split("/");
  return {
    page: page || "play",
    id: id ? decodeURIComponent(id) : null,
    query: new URLSearchParams(query),
  };
}

class Router {
  place = $state.raw<Place>(read());

  constructor() {
    addEventListener("hashchange", () => {
      this.place = read();
    });
  }

  go(hash: string) {
    location.hash = hash;
  }
}

export const router = new Router();
