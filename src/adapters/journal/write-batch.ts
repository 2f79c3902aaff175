import type { StoreOutage } from "../../ports/journal-store.ts";
import type { Database } from "./node-sqlite.ts";
import { type Pending, pending } from "./pending.ts";

/**
 * Writes to a database, all of one turn of the event loop in one transaction: a commit of its own costs about four times what
 * it takes to write an event. Once a write or a commit has failed, nothing is written before `recover` has written what was lost,
 * because what was decided since stands on it.
 */
export class WriteBatch {
  readonly #database: Database;
  readonly #explain: (fault: unknown) => StoreOutage;
  #open: Pending | undefined;
  #broken: StoreOutage | undefined;

  constructor(database: Database, explain: (fault: unknown) => StoreOutage) {
    this.#database = database;
    this.#explain = explain;
  }

  get outage(): StoreOutage | undefined {
    return this.#broken;
  }

  /** Writes everything that was lost, in one transaction. Whether it could. */
  recover(work: () => void): boolean {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      work();
      this.#database.exec("COMMIT");
      this.#broken = undefined;
    } catch {
      this.#rollBack();
    }
    return this.#broken === undefined;
  }

  write(work: () => void): void {
    if (this.#broken !== undefined) throw this.#broken;
    this.#attempt(() => {
      this.#begin();
      work();
    });
  }

  /** Resolves when everything written so far is committed. */
  async secured(): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    await this.#open?.promise;
  }

  commit(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#attempt(() => this.#database.exec("COMMIT"));
    this.#open = undefined;
    open.resolve();
  }

  #begin(): void {
    if (this.#open !== undefined) return;
    this.#database.exec("BEGIN IMMEDIATE");
    this.#open = pending();
    setImmediate(() => this.#commitInTurn());
  }

  /** Whoever waits is told of the failure. */
  #commitInTurn(): void {
    try {
      this.commit();
    } catch {}
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.#break(fault);
    }
  }

  #break(fault: unknown): never {
    const broken = this.#explain(fault);
    this.#broken = broken;
    this.#open?.reject(broken);
    this.#open = undefined;
    this.#rollBack();
    throw broken;
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has done so by itself.
    }
  }
}
