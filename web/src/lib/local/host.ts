// All that a server does for the page, in the browser itself: games and their rules from the compiled
// core, players in workers, what is kept in IndexedDB.

import type { BoardZero } from "boardzero";
import { type Api, type Connection, type Listener, Refused } from "../api/api";
import { HUMAN } from "../seats";
import type { GameRequest, PlayCommand, PlayNews, StudyNews, StudyRequest } from "../types";
import { Archive } from "./archive";
import { GameClock } from "./clock";
import { Database } from "./database";
import { type Drawings, drawing } from "./drawing";
import { Games, type Rules } from "./games";
import { LiveGame } from "./live";
import { readFile, writeFile } from "./notation/files";
import { Tree } from "./notation/tree";
import { type PuzzleData, Puzzles } from "./puzzles";
import { type Recorded, recordedArena, recordedGame, recordedLearning } from "./recorded";
import { Session } from "./session";
import { Studying, tryMove } from "./study";
import type { Words } from "./study/words";
import { Thinking } from "./thinking";
import { boardView, studiedView } from "./views";

const RECENT = 6;
const STUDIES = 100;

/** What the site has beside the core, fetched when it is first asked for. */
export type SiteData = {
  words(): Promise<Words>;
  puzzles(): Promise<PuzzleData>;
  recorded(): Promise<Recorded>;
  drawings(): Promise<Drawings>;
};

export function host(core: BoardZero, rules: Rules, data: SiteData): Api {
  const games = new Games(core, rules);
  const open = (spec: string) => games.open(spec);
  const thinking = new Thinking();
  const database = new Database();
  const archive = new Archive(database, open);
  const live = new Map<string, LiveGame>();

  const keep = async (session: Session) => {
    const { ending } = session;
    if (ending && !session.archived && session.state.plies) {
      await archive.add(session, ending);
      session.archived = true;
    }
    await database.saveGame(session.dump());
  };
  const seat = (session: Session): LiveGame => {
    const game = new LiveGame(session, thinking, keep);
    live.set(session.id, game);
    const players = new Set(session.ending ? [] : session.seats.filter((one) => one !== HUMAN));
    for (const player of players) thinking.prepare(session.game, player);
    return game;
  };
  const find = async (id: string): Promise<LiveGame> => {
    const known = live.get(id);
    if (known) return known;
    const saved = await database.game(id);
    if (!saved) throw new Refused("there is no such game", true);
    const session = Session.load(await open(saved.game), saved);
    return live.get(id) ?? seat(session);
  };
  const begin = async (wish: GameRequest) => {
    const game = await open(wish.game);
    const session = new Session(crypto.randomUUID(), game, wish.seats, wish.fen ?? null);
    for (const move of wish.moves ?? []) session.play(move);
    if (wish.clock) {
      // What was played before costs nobody time.
      const { minutes, increment = 0, per_move } = wish.clock;
      const left = Array(game.players).fill(60 * minutes);
      session.clock = new GameClock(minutes, increment, left, per_move);
    }
    const game_ = seat(session);
    game_.changed();
    await game_.saved();
    return game_.view();
  };
  const storedTree = async (id: number) => {
    const recorded = await recordedGame(data.recorded, id);
    return recorded ? Tree.of(await open(recorded.game), recorded) : archive.tree(id);
  };
  const puzzles = async () => new Puzzles(await data.puzzles());

  return {
    hosted: false,
    catalog: {
      games: async () => (await games.all()).map((game) => games.info(game)),
      game: async (spec) => games.info(await open(spec)),
    },
    play: {
      open: begin,
      game: async (id) => (await find(id)).view(),
      recent: async () => {
        const saved = await database.recentGames(RECENT);
        const sessions = saved.map(async (one) => Session.load(await open(one.game), one));
        return (await Promise.all(sessions)).map((session) => session.summary());
      },
      connect: (id, listener) => playing(() => find(id), listener),
    },
    study: {
      position: async (line) => studiedView(await games.stateOf(line)),
      line: async (line) => {
        const end = await games.stateOf(line);
        const state = end.game.start(line.fen);
        const positions = [boardView(state)];
        for (const move of end.history) {
          state.play(move);
          positions.push(boardView(state));
        }
        return {
          game: end.game.spec,
          title: end.game.rules.title,
          seats: [...end.game.seats],
          start: line.fen ?? null,
          moves: end.history.map(({ text }) => text),
          positions,
        };
      },
      setup: async ({ game: spec, pieces, to_move }) => {
        const game = await open(spec);
        const { fen } = await game.rules.compose(pieces, to_move);
        return studiedView(game.start(fen));
      },
      read: async ({ game, text }) => readFile(text, await open(game), await games.all(), open),
      write: async (tree) => writeFile(Tree.of(await open(tree.game), tree)),
      svg: async (line) => drawing(await games.stateOf(line), await data.drawings()),
      search: async (line) => archive.search(await games.stateOf(line)),
      stored: async (id) => (await storedTree(id)).data(),
      explore: async (line) => archive.explore(await games.stateOf(line)),
      tryMove: (wish) => tryMove(wish, games, thinking),
      connect: (listener) => studying(games, thinking, data.words, listener),
    },
    kept: {
      studies: async () =>
        (await database.recentStudies(STUDIES)).map(({ key, tree, updated }) => ({
          key,
          game: tree.game,
          tags: tree.tags,
          result: tree.result,
          moves: tree.nodes.length - 1,
          updated,
        })),
      study: async (key) => {
        const study = await database.study(key);
        if (!study) throw new Refused("there is no such study", true);
        return study.tree;
      },
      save: async (known, tree) => {
        Tree.of(await open(tree.game), tree); // nothing is kept that could not be shown again
        const key = known ?? crypto.randomUUID();
        await database.saveStudy({ key, tree, updated: Date.now() / 1000 });
        return key;
      },
      deleteStudy: (key) => database.deleteStudy(key),
      // What is not given comes as null through the worker's messages.
      games: (game, before, player) => archive.listed(game, before ?? undefined, player),
      game: async (id) => writeFile(await storedTree(id)),
      deleteGame: (id) => database.deleteStored(id),
    },
    puzzles: {
      games: async () => (await puzzles()).games(),
      daily: async (game) => (await puzzles()).daily((await open(game)).spec),
      next: async (game, rating, done) =>
        (await puzzles()).next((await open(game)).spec, rating, done),
    },
    arena: recordedArena(data.recorded),
    learn: recordedLearning(data.recorded, async (line) => (await games.stateOf(line)).fen),
  };
}

function playing(
  find: () => Promise<LiveGame>,
  listener: Listener<PlayNews>,
): Connection<PlayCommand> {
  const tell = (news: PlayNews) => listener.hear(news);
  let closed = false;
  const game = find();
  game.then(
    (found) => {
      if (closed) return;
      listener.online(true);
      found.watch(tell);
    },
    (error: Error) => tell({ kind: "error", message: error.message, code: null }),
  );
  return {
    send: (command) =>
      void game.then(
        (found) => found.obey(command, tell),
        () => undefined,
      ),
    close: () => {
      closed = true;
      game.then(
        (found) => found.leave(tell),
        () => undefined,
      );
    },
  };
}

function studying(
  games: Games,
  thinking: Thinking,
  words: () => Promise<Words>,
  listener: Listener<StudyNews>,
): Connection<StudyRequest> {
  const work = words().then(
    (found) => new Studying(games, thinking, found, (news) => listener.hear(news)),
  );
  listener.online(true);
  return {
    send: (request) =>
      void work.then(
        (studying) => studying.ask(request),
        (error: Error) => listener.hear({ kind: "error", message: error.message, code: null }),
      ),
    close: () => void work.then((studying) => studying.ask({ kind: "stop" })),
  };
}
