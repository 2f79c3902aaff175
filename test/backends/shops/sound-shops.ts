import type { Style } from "./mutants.ts";
import type { StartShop } from "./shop.ts";
import { startAnswersFirstShop, startDiskShop } from "./answers-first.ts";
import { startBreakerShop, startPoolShop, startWatchingShop } from "./breakers.ts";
import { startGuardedShop } from "./guarded.ts";
import { startDjangoShop } from "./django.ts";
import { startExpressShop } from "./express.ts";
import { startBackgroundShop } from "./background.ts";
import { MONEY_SHOPS } from "./money-shops.ts";
import { startLaravelShop } from "./laravel.ts";
import { startOutboxShop } from "./outbox.ts";
import { startPollingShop } from "./polling.ts";
import { startQueueShop } from "./queue.ts";
import { startNumberedTextsShop } from "./long-texts.ts";
import { startBonusShop, startPartsShop } from "./several-requests.ts";
import { startTimerShop } from "./timer.ts";

/** Each loses no money, whatever the gateway does. */
export const SOUND_SHOPS = {
  express: startExpressShop,
  background: startBackgroundShop,
  "like Laravel": startLaravelShop,
  "like Django": startDjangoShop,
  "queue worker": startQueueShop,
  outbox: startOutboxShop,
  polling: startPollingShop,
  timer: startTimerShop,
  "several requests": startPartsShop,
  "with a bonus": startBonusShop,
  "long texts": startNumberedTextsShop,
  guarded: startGuardedShop,
  "answers first": startAnswersFirstShop,
  "on disk": startDiskShop,
  "circuit breaker": startBreakerShop,
  "pool of four": startPoolShop,
  "wallet watcher": startWatchingShop,
  ...MONEY_SHOPS,
} satisfies Readonly<Record<Style, StartShop>>;
