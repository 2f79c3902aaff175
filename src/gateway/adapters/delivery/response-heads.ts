import type { Readable } from "node:stream";

/** The most bytes of a response's head that are read: a guess that is generous to receivers. Its connection is then closed. */
export const LONGEST_HEAD = 65_536;

/** The most informational responses before the final one (RFC 9110 section 15.2). A receiver that sends more never gets to the point. */
const MAX_INTERIM = 10;

/** The most bytes that undici parses before it checks whether the connection was closed. */
const PIECE_BYTES = 256;

/**
 * Gives undici what arrives in small pieces, each response from its final status line on. A receiver is heard once its status has arrived,
 * but undici gives up a connection because of 100 Continue, and tells no status of a head that is too long.
 *
 * Undici also parses everything that it is given, even after it closed the connection because of the first bytes, and creates an error for
 * each further header. A receiver that sends endless headers would block the process for seconds.
 */
export function readHeadsFirst<Socket extends Connection>(socket: Socket): Socket {
  const heads = new ResponseHeads(socket);
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    let parsed: Buffer = NOTHING;
    while (parsed.length === 0) {
      const piece: Buffer | null = socket.destroyed
        ? null
        : read(size ?? (Math.min(socket.readableLength, PIECE_BYTES) || undefined));
      if (piece === null) return null;
      parsed = heads.take(piece);
    }
    return parsed;
  };
  return socket;
}

const NOTHING = Buffer.alloc(0);

/** What is read of a socket. */
interface Connection extends Readable {
  readonly bytesWritten: number;
}

/** The heads of the responses on one connection. Each request is answered before the next is written. */
class ResponseHeads {
  readonly #socket: Connection;
  /** How much had been written when the latest head was expected. */
  #written = 0;
  /** The beginning of a head; undefined after its end. */
  #head: Buffer | undefined;
  #interim = 0;
  #isOver = false;

  constructor(socket: Connection) {
    this.#socket = socket;
  }

  /** Returns what undici is to parse; nothing while a head is incomplete. */
  take(piece: Buffer): Buffer {
    if (this.#isOver) return NOTHING;
    const { bytesWritten } = this.#socket;
    if (bytesWritten > this.#written) {
      this.#written = bytesWritten;
      this.#head = NOTHING;
      this.#interim = 0;
    }
    return this.#head === undefined ? piece : this.#takeHead(Buffer.concat([this.#head, piece]), this.#head.length);
  }

  #takeHead(arrived: Buffer, searched: number): Buffer {
    const end = endOfHead(arrived, Math.max(0, searched - 2));
    const status = statusOf(arrived);
    if (end === undefined && status !== undefined) {
      if (arrived.length <= LONGEST_HEAD) return this.#hold(arrived);
      return status < 200 ? this.#refuse("an informational response without an end") : this.#cut(arrived);
    }
    if (status === undefined || status < 100 || status > 199) return this.#pass(arrived);
    this.#interim += 1;
    if (status === 101) return this.#refuse("it switched protocols, which nobody asked for");
    if (this.#interim > MAX_INTERIM) return this.#refuse(`more than ${MAX_INTERIM} informational responses`);
    return this.#takeHead(arrived.subarray(end), 0);
  }

  #hold(head: Buffer): Buffer {
    this.#head = head;
    return NOTHING;
  }

  #pass(response: Buffer): Buffer {
    this.#head = undefined;
    return response;
  }

  /** Ends a head after its last complete line. */
  #cut(head: Buffer): Buffer {
    this.#isOver = true;
    setImmediate(() => this.#socket.destroy());
    return Buffer.concat([head.subarray(0, head.lastIndexOf("\n", LONGEST_HEAD - 1) + 1), Buffer.from("\r\n")]);
  }

  #refuse(reason: string): Buffer {
    this.#isOver = true;
    this.#socket.destroy(new Error(reason));
    return NOTHING;
  }
}

/** Returns where the empty line after the last header ends, if it has arrived. */
function endOfHead(arrived: Buffer, from: number): number | undefined {
  const empty = /\n\r?\n/.exec(arrived.toString("latin1", from));
  return empty === null ? undefined : from + empty.index + empty[0].length;
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[ \r\n]/;
/** How a status line may look before all of this has arrived. */
const BEGINNING = "HTTP/1.1 200 ";

/** Returns the status code; 0 if too little has arrived to tell, and undefined if this is not HTTP, of which undici says what is wrong. */
function statusOf(arrived: Buffer): number | undefined {
  const line = arrived.toString("latin1", 0, BEGINNING.length);
  const status = STATUS_LINE.exec(line)?.[1];
  if (status !== undefined) return Number(status);
  return isBeginning(line) ? 0 : undefined;
}

function isBeginning(line: string): boolean {
  return STATUS_LINE.test(line + BEGINNING.slice(line.length));
}
