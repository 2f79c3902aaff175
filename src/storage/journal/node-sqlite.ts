/** The parts of `node:sqlite` used here (nodejs.org/api/sqlite.html). The types of the oldest supported Node lack it. */
export interface Sqlite {
  readonly DatabaseSync: new (path: string, options?: { readonly timeout?: number }) => Database;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  all<Row>(values: Readonly<Record<string, string | number | null>>): Row[];
}

/** Returns Node's built-in SQLite if this Node has it (22.13 and newer). Suppresses its experimental warning. */
export function findSqlite(): Sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    const found = process.getBuiltinModule?.("node:sqlite");
    return isSqlite(found) ? found : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqlite(found: object | undefined): found is Sqlite {
  return found !== undefined && "DatabaseSync" in found;
}

/** Thrown if a file that somebody named cannot be used. The message names it, says why, and what to do. */
export class UnusableFile extends Error {}
