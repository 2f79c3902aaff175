import type { StartShop } from "./shop.ts";
import { startDjangoShop } from "./django.ts";
import { startExpressShop } from "./express.ts";
import { startFastifyShop } from "./fastify.ts";
import { startLaravelShop } from "./laravel.ts";
import { startOutboxShop } from "./outbox.ts";
import { startPollingShop } from "./polling.ts";
import { startQueueShop } from "./queue.ts";

/** Each loses no money, whatever the gateway does. */
export const SOUND_SHOPS = {
  express: startExpressShop,
  fastify: startFastifyShop,
  "like Laravel": startLaravelShop,
  "like Django": startDjangoShop,
  "queue worker": startQueueShop,
  outbox: startOutboxShop,
  polling: startPollingShop,
} satisfies Readonly<Record<string, StartShop>>;

/** What each single defect does to a sound shop. */
export const MUTANTS = {
  "sends again after silence": "express",
  "has no timeout": "express",
  "takes a refusal's request_id for an acceptance": "express",
  "takes silence for failure": "express",
  "never refunds": "express",
  "drops early callbacks": "express",
  "takes any result as paid": "fastify",
  "checks, then debits 80 ms later": "fastify",
  "debits for each callback": "fastify",
  "takes the acknowledgment for the result": "fastify",
  "drops callbacks with another content type": "fastify",
  "answers 500 to a repeated callback": "fastify",
  "compares result_code with the text 200": "like Laravel",
  "takes every result below 500 as paid": "like Laravel",
  "books the list price": "like Laravel",
  "books whole shillings": "like Laravel",
  "lets the last callback win": "like Django",
  "refunds for each callback": "like Django",
  "leaves an order open after a 422": "like Django",
  "takes a 402 for a sale": "like Django",
  "forgets the order after a 401": "like Django",
  "sends again after a 502": "queue worker",
  "sends again after a 504": "queue worker",
  "sends a second request beside a slow one": "queue worker",
  "debits again with each try": "queue worker",
  "sends again after an unreadable acknowledgment": "outbox",
  "crashes on a malformed callback": "outbox",
  "ignores failed results": "outbox",
  "gives every callback to the newest open order": "outbox",
  "never reads its callbacks": "polling",
  "decides by the wallet's balance": "polling",
  "takes silence for success": "polling",
} satisfies Readonly<Record<string, keyof typeof SOUND_SHOPS>>;

export type Defect = keyof typeof MUTANTS;
