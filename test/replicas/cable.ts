import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A network cable with a plug at each end: a TCP proxy whose traffic can be cut, held back or delayed. */
export interface Cable extends AsyncDisposable {
  readonly port: number;
  /** Leads to another port from now on; connections that are open end. */
  leadTo(port: number): void;
  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void;
  /**
   * Keeps connections open, but nothing comes through in this direction until `mend`, as behind a firewall that drops packets; with a
   * text, from the first packet that contains it.
   */
  hold(direction: Direction, from?: string): void;
  /** Lets through what was held back, and everything from now on. */
  mend(): void;
  /** Resolves once everything that was held back on the way out has been answered, or the connection is over. */
  untilAnswered(): Promise<void>;
  /** Everything that comes back arrives so much later. */
  delayAnswers(millis: number): void;
  /** Resolves when something that contains the text has been held back in this direction. */
  untilHolding(direction: Direction, text?: string): Promise<void>;
}

/** `out` from the one that connects, `back` from the one that it reaches. */
export type Direction = "out" | "back";

export async function startCable(to: number): Promise<Cable> {
  const pairs = new Set<Pair>();
  const held = new Map<Direction, string>();
  const waiting = new Set<{ readonly isHeld: () => boolean; readonly resolve: () => void }>();
  let answers: readonly Promise<void>[] = [];
  let target = to;
  let isCut = false;
  let delay = 0;
  const tell = (): void => {
    for (const one of waiting) {
      if (!one.isHeld()) continue;
      waiting.delete(one);
      one.resolve();
    }
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const pair: Pair = joined(near, connect(target, "127.0.0.1"), {
      isHeld: (direction) => held.get(direction) === "",
      mayHold: (direction, chunk) => {
        if (chunk.includes(held.get(direction) ?? NEVER)) held.set(direction, "");
      },
      delayOf: (direction) => (direction === "back" ? delay : 0),
      tell,
      ended: () => pairs.delete(pair),
    });
    pairs.add(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const endAll = (): void => pairs.forEach(({ end }) => end());
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    leadTo(port) {
      target = port;
      endAll();
    },
    cut() {
      isCut = true;
      endAll();
    },
    hold: (direction, from = "") => void held.set(direction, from),
    mend() {
      isCut = false;
      held.clear();
      answers = [...pairs].map(({ flush }) => flush());
    },
    untilAnswered: async () => void (await Promise.all(answers)),
    delayAnswers: (millis) => void (delay = millis),
    untilHolding: (direction, text = "") =>
      new Promise((resolve) => {
        waiting.add({ isHeld: () => [...pairs].some(({ holds }) => holds(direction, text)), resolve });
        tell();
      }),
    async [Symbol.asyncDispose]() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}

/** No packet contains it. */
const NEVER = "\0never\0";

interface Pair {
  readonly end: () => void;
  /** Resolves once what goes out has been answered. */
  readonly flush: () => Promise<void>;
  readonly holds: (direction: Direction, text: string) => boolean;
}

interface Traffic {
  readonly isHeld: (direction: Direction) => boolean;
  /** Holds this direction from now on, where that was to begin with such a packet. */
  readonly mayHold: (direction: Direction, chunk: Buffer) => void;
  readonly delayOf: (direction: Direction) => number;
  readonly tell: () => void;
  readonly ended: () => void;
}

function joined(near: Socket, far: Socket, { isHeld, mayHold, delayOf, tell, ended }: Traffic): Pair {
  const kept: Record<Direction, Buffer[]> = { out: [], back: [] };
  const end = (): void => {
    near.destroy();
    far.destroy();
    ended();
  };
  const pass = (from: Socket, to: Socket, direction: Direction): void => {
    from.setNoDelay(true);
    from.on("data", (chunk: Buffer) => {
      mayHold(direction, chunk);
      if (isHeld(direction) || kept[direction].length > 0) {
        kept[direction].push(chunk);
        tell();
      } else if (delayOf(direction) > 0) setTimeout(() => to.write(chunk), delayOf(direction));
      else to.write(chunk);
    });
    from.on("error", end);
    // A connection behind a firewall looks open from both sides.
    from.on("close", () => (isHeld("out") || isHeld("back") ? undefined : end()));
  };
  pass(near, far, "out");
  pass(far, near, "back");
  return {
    end,
    holds: (direction, text) => kept[direction].length > 0 && Buffer.concat(kept[direction]).includes(text),
    async flush() {
      const isAsked = kept.out.length > 0 && !far.destroyed;
      const answered = isAsked
        ? new Promise<void>((resolve) => void far.once("data", resolve).once("close", resolve))
        : undefined;
      for (const chunk of kept.out.splice(0)) far.write(chunk);
      for (const chunk of kept.back.splice(0)) near.write(chunk);
      // What was written late still arrives, as its sender has gone.
      if (near.destroyed) far.end();
      if (far.destroyed) end();
      await answered;
    },
  };
}
