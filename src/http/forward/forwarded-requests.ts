import type { AccountOwnership } from "../../ports/account-ownership.ts";
import { NotTheOwner } from "../../ports/journal-store.ts";
import type { MessageHandler, MessageStream } from "../../ports/replica-links.ts";
import {
  type AnswerEnded,
  type Bindings,
  type Forwarded,
  LOST,
  type Script,
  type WaitingClient,
} from "../connection.ts";
import type { Wire } from "../reply.ts";
import { ownerNow } from "./with-owner.ts";
import type { EdgeMessage, ForwardedRequest, OwnerMessage } from "./messages.ts";

export interface ForwardedOptions {
  readonly ownership: AccountOwnership;
  /** Handles a request as if its client were connected here. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  readonly report: (fault: unknown) => string;
}

/** Answers the requests that another replica forwards over one connection. */
export function takeForwarded(
  open: (handler: MessageHandler<EdgeMessage>) => MessageStream,
  options: ForwardedOptions,
): MessageStream {
  const waiting = new Map<number, ForwardedToOwner>();
  const end = (number: number, ended: AnswerEnded): void => {
    waiting.get(number)?.end(ended);
    waiting.delete(number);
  };
  const begin = (asked: RequestMessage): void => {
    const forwarded = new ForwardedToOwner(asked.request);
    waiting.set(asked.number, forwarded);
    answer(asked, forwarded, options).then(
      (reply) => stream.send(reply),
      (fault: unknown) => {
        options.report(fault);
        stream.close();
      },
    );
  };
  const stream = open({
    take: (message) => {
      if (message.kind === "request") begin(message);
      else if (message.kind === "waits") waiting.get(message.number)?.wait();
      else end(message.number, message.ended);
    },
    gone: () => [...waiting.keys()].forEach((number) => end(number, LOST)),
  });
  return stream;
}

type RequestMessage = Extract<EdgeMessage, { kind: "request" }>;

/** Lets Hono answer as for its own client. The other replica applies what a scenario does to the connection. */
async function answer(
  { number, account, request }: RequestMessage,
  forwarded: ForwardedToOwner,
  { ownership, fetch }: ForwardedOptions,
): Promise<OwnerMessage> {
  try {
    const owner = await ownerNow(account, ownership);
    if (owner.kind !== "self") return { kind: "moved", number };
    const response = await fetch(requestOf(request), forwarded.bindings);
    return { kind: "answer", number, wire: await wireOf(response), script: forwarded.script };
  } catch (problem) {
    if (problem instanceof NotTheOwner) return { kind: "moved", number };
    throw problem;
  }
}

/** One forwarded request, until its client has its response or is gone. */
class ForwardedToOwner implements Forwarded {
  readonly bindings: Bindings;
  ended: AnswerEnded | undefined;
  script: Script | undefined;
  readonly #jobs: (() => void)[] = [];
  #client: WaitingClient | undefined;

  constructor({ body, ...request }: ForwardedRequest) {
    this.bindings = {
      forwarded: this,
      read: {
        request: { ...request, receivedAt: 0, body: NO_BODY },
        body: body === undefined ? undefined : Buffer.from(body, "latin1"),
      },
      afterResponse: (job) => void (this.ended === undefined ? this.#jobs.push(job) : job()),
    };
  }

  leave(script: Script, client: WaitingClient): void {
    this.script = script;
    this.#client = client;
  }

  wait(): void {
    this.#client?.onEndlessWait();
  }

  end(ended: AnswerEnded): void {
    this.ended = ended;
    for (const job of this.#jobs) job();
  }
}

const NO_BODY = new Uint8Array();

/**
 * Builds the Request for Hono's routing. A Request cannot have some methods, nor a URL with a password. The gateway refuses those methods,
 * and does not read the password.
 */
function requestOf({ method, url: written, rawHeaders }: ForwardedRequest): Request {
  const url = written.replace(/^([a-z]+:\/\/)[^/?#]*@/, "$1");
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  if (method !== "TRACE") return new Request(url, { method, headers });
  return Object.defineProperty(new Request(url, { headers }), "method", { value: method });
}

async function wireOf(response: Response): Promise<Wire> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
