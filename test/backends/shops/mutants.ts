/** The sound shops, by how they are built. */
export type Style =
  | "express"
  | "background"
  | "like Laravel"
  | "like Django"
  | "queue worker"
  | "outbox"
  | "polling"
  | "timer"
  | "several requests"
  | "with a bonus"
  | "long texts"
  | "guarded"
  | "answers first"
  | "on disk"
  | "circuit breaker"
  | "pool of four"
  | "wallet watcher"
  | MoneyStyle;

/** Those of `money-shops.ts`. */
export type MoneyStyle = "discount" | "whole shillings" | "per part" | "cached balance";

export interface Mutant {
  /** The sound shop that has this defect and no other. */
  readonly shop: Style;
  /** The defect that an exploration finds, and those that it may find besides; or what it says where a plain order goes wrong already. */
  readonly caught: readonly string[] | string;
  /** The risk that an exploration finds, where nothing is wrong yet. */
  readonly risk?: string;
  /** The faults that show it, and perhaps one that does not. */
  readonly faults: readonly string[];
  /** Whether a rehearsal of what is found must show it again. */
  readonly isReplayed?: true;
  /** What is explored; otherwise airtime. */
  readonly operation?: "sms";
  /** What is told of its defect, in some of its words. */
  readonly says?: string;
  /** A line that its map has besides. */
  readonly map?: string;
}

const SOLD_TWICE: string[] = ["sold-twice"];
const SOMETHING_ELSE: string[] = ["delivered-something-else"];
const STUCK: string[] = ["outcome-lost"];
const NEVER_DELIVERED: string[] = ["paid-never-delivered"];

/** What each single defect does to a sound shop. */
export const MUTANTS = {
  "sends again after silence": { shop: "express", caught: SOLD_TWICE, faults: ["reset-after-accept"] },
  "has no timeout": { shop: "express", caught: ["waits-forever"], faults: ["hang-after-accept"] },
  "takes a refusal's request_id for an acceptance": {
    shop: "express",
    caught: ["refused-left-open"],
    faults: ["refused-422"],
  },
  "takes silence for failure": { shop: "express", caught: ["delivered-shown-failed"], faults: ["reset-after-accept"] },
  "never refunds": { shop: "express", caught: ["not-refunded"], faults: ["result-failed"] },
  "drops early callbacks": { shop: "express", caught: STUCK, faults: ["callback-before-ack"] },
  "takes any result as paid": { shop: "background", caught: NEVER_DELIVERED, faults: ["result-failed"] },
  "checks, then debits 80 ms later": {
    shop: "background",
    caught: ["wrong-debit"],
    faults: ["callback-twice-at-once"],
  },
  "debits for each callback": { shop: "background", caught: ["wrong-debit"], faults: ["callback-twice"] },
  "takes the acknowledgment for the result": {
    shop: "background",
    caught: ["paid-never-delivered", "paid-too-early"],
    faults: ["result-failed"],
  },
  "answers 500 to a repeated callback": {
    shop: "background",
    caught: ["callback-not-acknowledged"],
    faults: ["callback-twice"],
  },
  "compares result_code with the text 200": {
    shop: "like Laravel",
    caught: ["delivered-shown-failed"],
    faults: ["callback-twice"],
  },
  "books the list price": { shop: "like Laravel", caught: ["wrong-books"], faults: ["callback-twice"] },
  "books whole shillings": { shop: "like Laravel", caught: ["wrong-books"], faults: ["callback-twice"] },
  "lets the last callback win": {
    shop: "like Django",
    caught: ["delivered-shown-failed", "paid-never-delivered"],
    faults: ["contradiction-after-success"],
  },
  "refunds for each callback": { shop: "like Django", caught: ["wrong-debit"], faults: ["failure-twice"] },
  "refunds a delivered order that a later callback calls failed": {
    shop: "like Django",
    caught: ["wrong-debit"],
    faults: ["contradiction-after-success"],
  },
  "leaves an order open after a 422": { shop: "like Django", caught: ["refused-left-open"], faults: ["refused-422"] },
  "leaves an order open after a 402": {
    shop: "like Django",
    caught: ["refused-left-open"],
    faults: ["refused-402", "result-failed"],
  },
  "takes a 402 for a sale": { shop: "like Django", caught: NEVER_DELIVERED, faults: ["refused-402"] },
  "forgets the order after a 401": { shop: "like Django", caught: ["not-refunded"], faults: ["refused-401"] },
  "fails every open order after a 401": {
    shop: "like Django",
    caught: ["delivered-shown-failed"],
    faults: ["credentials-revoked"],
  },
  "sends again after a 502": { shop: "queue worker", caught: SOLD_TWICE, faults: ["proxy-502-after-accept"] },
  // On a busy machine every answer is slow: a refused order is sent beside its refusal, delivered, and shown as failed.
  "sends a second request beside a slow one": {
    shop: "queue worker",
    caught: ["sold-twice", "delivered-shown-failed"],
    faults: ["slow-acknowledgment"],
  },
  "debits again with each try": { shop: "queue worker", caught: ["wrong-debit"], faults: ["refused-429"] },
  "crashes on a malformed callback": { shop: "outbox", caught: ["stops-answering"], faults: ["callback-malformed"] },
  "ignores failed results": {
    shop: "outbox",
    caught: ["paid-never-delivered", "outcome-lost"],
    faults: ["contradiction-after-failure", "result-failed"],
  },
  "gives every callback to the newest open order": {
    shop: "outbox",
    // Where a busy machine leaves it open whether each order is right alone, the effect alone is told.
    caught: ["mixed-up-orders", "outcome-lost", "wrong-books", "delivered-shown-failed"],
    faults: ["first-of-two-fails", "first-of-two-fails-crossed", "five-customers-at-once"],
  },
  "never reads its callbacks": {
    shop: "polling",
    caught: "the callback's handler updates the order",
    faults: ["result-failed"],
  },
  "decides by the wallet's balance": {
    shop: "polling",
    caught: ["paid-never-delivered", "paid-too-early", "mixed-up-orders"],
    faults: ["result-failed"],
  },
  "takes silence for success": { shop: "polling", caught: NEVER_DELIVERED, faults: ["reset-before-accept"] },
  "keeps the money when it cannot read its balance": {
    shop: "like Laravel",
    caught: ["not-refunded"],
    faults: ["refused-500"],
  },
  "debits for each callback that names the number of an order without an answer": {
    shop: "background",
    caught: ["wrong-debit"],
    faults: ["lost-ack-then-callback-twice"],
  },
  "gives a callback that it does not know to the only order without an answer": {
    shop: "background",
    caught: ["mixed-up-orders"],
    faults: ["unanswered-beside-unknown"],
  },
  "fails an order after silence when it cannot read its balance": {
    shop: "background",
    caught: ["delivered-shown-failed"],
    faults: ["reset-after-accept", "proxy-503"],
  },
  "refunds in whole tens": {
    shop: "timer",
    caught: ["not-refunded", "wrong-debit", "balance-race"],
    faults: ["result-failed", "refused-422"],
  },
  "forgets with a restart which callbacks it has seen": {
    shop: "timer",
    caught: ["wrong-books"],
    faults: ["restart-after-callback", "callback-twice"],
  },
  "forgets with a restart which request was for which order": {
    shop: "timer",
    caught: STUCK,
    faults: ["restart-after-order", "result-failed"],
  },
  "sends its unfinished orders again after a restart": {
    shop: "timer",
    caught: SOLD_TWICE,
    faults: ["restart-after-order", "result-failed"],
  },
  "books the fall of the wallet's balance": {
    shop: "timer",
    caught: ["wrong-books"],
    faults: ["five-customers-at-once", "refused-402", "result-failed"],
  },
  "refunds after silence, and again after a failed result": {
    shop: "timer",
    caught: ["wrong-debit", "balance-race", "wrong-books"],
    faults: ["proxy-502-after-accept", "result-failed"],
  },
  "keeps only a success that arrives early": {
    shop: "timer",
    caught: STUCK,
    faults: ["failure-before-ack", "callback-before-ack"],
  },
  "sells an order again that comes twice": {
    shop: "timer",
    caught: [],
    risk: "ordered-twice",
    faults: ["same-order-twice", "result-failed"],
  },
  "acknowledges a callback after 3.4 s": {
    shop: "timer",
    caught: ["callback-answered-late"],
    faults: ["result-failed"],
  },
  "retries for ever when its credentials are refused": {
    shop: "timer",
    caught: ["tried-forever"],
    faults: ["credentials-revoked-throughout", "result-failed"],
  },
  "gives the money back after silence, and keeps the order open": {
    shop: "express",
    caught: ["delivered-given-back"],
    faults: ["reset-after-accept", "reset-before-accept", "result-failed"],
  },
  "sends cents for shillings": { shop: "express", caught: "; the gateway delivered KES", faults: ["result-failed"] },
  "sends one shilling less": {
    shop: "express",
    caught: SOMETHING_ELSE,
    faults: ["result-failed"],
    map: "delivers: {}",
  },
  "sends one shilling less when it tries again": {
    shop: "queue worker",
    caught: SOMETHING_ELSE,
    faults: ["refused-429", "result-failed"],
  },
  "sends the amount of the order before": {
    shop: "express",
    caught: SOMETHING_ELSE,
    faults: ["result-failed", "five-customers-at-once"],
  },
  "takes every number for one that begins with 2547": {
    shop: "express",
    caught: SOMETHING_ELSE,
    faults: ["numbers-of-three-carriers", "result-failed"],
  },
  "cuts texts after 160 characters": {
    shop: "express",
    operation: "sms",
    caught: SOMETHING_ELSE,
    faults: ["long-and-unusual-texts", "result-failed"],
  },
  "removes quotes from texts": {
    shop: "express",
    operation: "sms",
    caught: SOMETHING_ELSE,
    faults: ["long-and-unusual-texts", "result-failed"],
  },
  "limits how often callbacks may come": {
    shop: "timer",
    caught: "too little could be assessed for a verdict",
    faults: ["callback-three-times", "five-customers-at-once"],
  },
  "sends a part again after silence": { shop: "several requests", caught: SOLD_TWICE, faults: ["reset-after-accept"] },
  "gives the whole price back when one part fails": {
    shop: "several requests",
    caught: ["delivered-shown-failed"],
    faults: ["result-failed"],
  },
  "takes an SMS for sent to all when one recipient got it": {
    shop: "several requests",
    operation: "sms",
    // Where none got it, the money is kept all the same.
    caught: [...NEVER_DELIVERED, "not-refunded"],
    faults: ["result-failed"],
  },
  "fails an SMS to all when one recipient fails": {
    shop: "several requests",
    operation: "sms",
    caught: ["delivered-shown-failed"],
    faults: ["refused-422", "result-failed"],
  },
  "sends a bonus again that got no answer": {
    shop: "with a bonus",
    caught: SOLD_TWICE,
    faults: ["reset-after-accept"],
  },
  "refuses callbacks with a field that it does not know": {
    shop: "guarded",
    caught: ["outcome-lost", "callback-not-acknowledged"],
    faults: ["callback-with-new-field", "result-failed"],
  },
  "believes callbacks without its token": {
    shop: "guarded",
    caught: ["believes-strangers"],
    faults: ["strangers-callback", "result-failed"],
  },
  "takes a second order for a number for a repetition": {
    shop: "guarded",
    caught: NEVER_DELIVERED,
    faults: ["second-order-for-a-number", "result-failed"],
  },
  "forgets after two seconds which callback it has seen": {
    shop: "guarded",
    caught: ["wrong-debit"],
    faults: ["callback-three-times-apart", "result-failed"],
  },
  "passes numbers on as they are typed": {
    shop: "guarded",
    caught: ["typed-number-passed-on"],
    faults: ["numbers-as-typed", "result-failed"],
  },
  "puts one blank for each line break and for two blanks": {
    shop: "guarded",
    operation: "sms",
    caught: SOMETHING_ELSE,
    faults: ["long-and-unusual-texts", "result-failed"],
  },
  "has a worker that ends with an answer it cannot read": {
    shop: "queue worker",
    caught: ["taken-not-sent"],
    says: "takes orders and sends nothing any more",
    faults: ["proxy-502", "truncate-after-accept", "result-failed"],
  },
  "keeps a connection of its pool after silence": {
    shop: "pool of four",
    caught: ["stops-answering", "no-answer"],
    faults: ["hang-after-accept", "reset-after-accept", "reset-before-accept", "empty-before-accept", "result-failed"],
  },
  "takes orders and drops them once its circuit breaker has opened": {
    shop: "circuit breaker",
    caught: ["taken-not-sent"],
    says: "takes orders and sends nothing any more",
    faults: ["proxy-502", "reset-after-accept", "empty-before-accept", "truncate-before-accept", "result-failed"],
  },
  "takes orders and drops them once its circuit breaker has opened, until it is reset": {
    shop: "circuit breaker",
    caught: ["taken-not-sent"],
    says: "takes orders and sends nothing any more",
    faults: ["proxy-502", "reset-after-accept", "empty-before-accept", "truncate-before-accept", "result-failed"],
  },
  "gives an order's result to the one before it, too, if that is open": {
    shop: "answers first",
    caught: ["mixed-up-orders", "wrong-books"],
    isReplayed: true,
    faults: ["first-of-two-fails-crossed", "second-of-two-fails-crossed", "result-failed"],
  },
  "keeps the money for ever after a bare 422": {
    shop: "express",
    caught: ["refused-left-open"],
    faults: ["profile-422-bare", "refused-422", "result-failed"],
  },
  "keeps new orders in memory until it sends them": {
    shop: "on disk",
    caught: ["lost-by-restart", "taken-not-sent"],
    faults: ["restart-before-request", "restart-after-order", "result-failed"],
  },
  "books a cent too little of some charges": {
    shop: "express",
    caught: ["wrong-books"],
    says: "with KES 68.00; with KES 61.00 it did not",
    isReplayed: true,
    faults: ["callback-twice", "callback-late", "callback-before-ack"],
    map: "amounts: [61, 68]",
  },
  "debits a shilling more for amounts that end in 7": {
    shop: "express",
    caught: ["wrong-debit"],
    says: "with KES 67.00; with KES 61.00 it did not",
    isReplayed: true,
    faults: ["callback-twice", "callback-late", "callback-before-ack"],
    map: "amounts: [61, 67]",
  },
  "debits paid orders again when it starts": {
    shop: "on disk",
    caught: ["wrong-debit"],
    faults: ["restart-after-callback", "result-failed"],
  },
  "writes back the balance that it read before it asked the gateway": {
    shop: "express",
    caught: ["balance-race"],
    isReplayed: true,
    faults: ["callback-twice", "callback-late", "five-customers-at-once", "result-failed"],
  },
  "refunds the list price": { shop: "discount", caught: ["wrong-debit", "balance-race"], faults: ["result-failed"] },
  "keeps the fee of a failed order": {
    shop: "whole shillings",
    caught: ["not-refunded", "wrong-debit"],
    faults: ["result-failed"],
  },
  "bills one part less of a long SMS": {
    shop: "per part",
    operation: "sms",
    caught: ["wrong-debit"],
    faults: ["long-and-unusual-texts", "result-failed"],
  },
  "debits an SMS for each callback": {
    shop: "several requests",
    operation: "sms",
    caught: ["wrong-debit"],
    faults: ["callback-twice"],
    isReplayed: true,
  },
  "sends the last part of a long text twice": {
    shop: "long texts",
    operation: "sms",
    caught: SOLD_TWICE,
    faults: ["long-and-unusual-texts"],
  },
  "leaves out the last part of a long text": {
    shop: "long texts",
    operation: "sms",
    caught: SOMETHING_ELSE,
    faults: ["long-and-unusual-texts"],
    says: "first different at ▸",
  },
  "keeps the money of a failed order behind a cache": {
    shop: "cached balance",
    caught: ["not-refunded"],
    faults: ["result-failed"],
  },
} satisfies Readonly<Record<string, Mutant>>;

/** What a mutant does differently from its sound shop; nothing else. */
export type Defect = keyof typeof MUTANTS;
