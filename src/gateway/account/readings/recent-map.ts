/**
 * A map in bounded space: at most `limit` entries, always including the latest `limit / 2`. Drops a whole generation at a time, because
 * repeatedly deleting a Map's oldest entry costs 10 µs each at 10,000 entries.
 */
export class RecentMap<K, V> {
  readonly #generation: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(limit = 10_000) {
    this.#generation = Math.max(1, Math.floor(limit / 2));
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: K): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  /** Sets an entry and makes it the newest. An older entry with the same key is hidden until its generation is dropped. */
  set(key: K, value: V): void {
    if (this.#young.size >= this.#generation && !this.#young.has(key)) this.#dropGeneration();
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #dropGeneration(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }
}
