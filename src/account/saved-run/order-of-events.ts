import type { Millis } from "../../domain/time.ts";

/** Where something comes in a replay: at one moment first the timeline, then results as their requests came, then requests. */
export interface Place {
  readonly at: Millis;
  readonly phase: 0 | 1 | 2;
  readonly turn: number;
}

/**
 * Finds places in the replay for what was done by hand: it happens by the clock there, so it may have to wait a
 * millisecond to stay behind what came before it. Counts what cannot keep its turn.
 */
export class OrderOfEvents {
  #last: Place = { at: 0, phase: 0, turn: -1 };
  #lastByHand: Place | undefined;
  #misplaced = 0;

  /** How much of what was done by hand comes later than it did, because something else came at the same moment. */
  get misplaced(): number {
    return this.#misplaced;
  }

  /** Something that the replay does by itself where it belongs. */
  passes(place: Place): void {
    if (this.#lastByHand !== undefined && isBefore(place, this.#lastByHand)) {
      this.#misplaced += 1;
      this.#lastByHand = undefined;
    }
    if (isBefore(this.#last, place)) this.#last = place;
  }

  /** The soonest moment, from the one it had on, that keeps it behind all before it. */
  placeByHand(wanted: Place): Millis {
    const soonest = isBefore(this.#last, wanted) ? wanted : { ...wanted, at: Math.max(wanted.at, this.#last.at) };
    const place = isBefore(this.#last, soonest) ? soonest : { ...soonest, at: soonest.at + 1 };
    this.#last = place;
    this.#lastByHand = place;
    return place.at;
  }
}

function isBefore(one: Place, other: Place): boolean {
  return (
    one.at - other.at < 0 || (one.at === other.at && (one.phase < other.phase || (one.phase === other.phase && one.turn < other.turn)))
  );
}
