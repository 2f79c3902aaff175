import { expect, test } from "vitest";
import { AnswerQueue } from "../../src/http/answer-queue.ts";

/** A queue whose turns end when told, and what was done in it. */
function startQueue() {
  const jobs: (() => void)[] = [];
  const seen: string[] = [];
  const queue = new AnswerQueue((job) => void jobs.push(job));
  const add = (name: string): void =>
    queue.add(() => {
      seen.push(`${name} decided`);
      return () => seen.push(`${name} answered`);
    });
  return { queue, add, seen, endTurn: () => jobs.splice(0).forEach((job) => job()), pending: () => jobs.length };
}

test("decides on all that came in a turn before it answers the first", () => {
  const { add, seen, endTurn } = startQueue();

  add("one");
  add("other");
  const before = [...seen];
  endTurn();

  expect(before).toEqual([]);
  expect(seen).toEqual(["one decided", "other decided", "one answered", "other answered"]);
});

test("asks once for the end of each turn", () => {
  const { add, seen, endTurn, pending } = startQueue();

  add("one");
  add("other");
  const asked = pending();
  endTurn();
  add("later");
  endTurn();

  expect(asked).toBe(1);
  expect(seen.slice(4)).toEqual(["later decided", "later answered"]);
});

test("answers in the middle of a turn where told, and nothing twice", () => {
  const { queue, add, seen, endTurn } = startQueue();

  add("one");
  queue.empty();
  const atOnce = [...seen];
  endTurn();

  expect(atOnce).toEqual(["one decided", "one answered"]);
  expect(seen).toEqual(atOnce);
});
