import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../support/free-ports.ts";

const execute = promisify(execFile);

/** A PostgreSQL of its own in a temporary folder, as durable as one in production: `fsync` and `synchronous_commit` are on. */
export interface Postgres extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** Where it is reached; another port for a proxy in front of it. */
  url(port?: number): string;
  /** Runs one statement as the administrator and answers what `psql` prints: a line for each row, columns separated by tabs. */
  query(sql: string): Promise<string>;
  /** The same, of a statement about databases. */
  administer(sql: string): Promise<string>;
  start(): Promise<void>;
  /** `immediate` is a crash: it recovers from its log at the next start. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** A standby that follows it; from then on a commit waits until the standby has it on disk. */
  addStandby(): Promise<Postgres>;
  /** A standby becomes the primary. */
  promote(): Promise<void>;
}

const ADMINISTRATOR = "administrator";
/** Kredo's own, which is refused what it has no privilege for. */
const USER = "kredo";
const PASSWORD = "kredo-password";
const DATABASE = "kredo";

/** The folder of a cluster that `makeTemplate` made, of which each is then a copy. */
const TEMPLATE = "KREDO_POSTGRES_TEMPLATE";

export async function startPostgres(): Promise<Postgres> {
  const template = process.env[TEMPLATE];
  if (template === undefined) return await startNew();
  const folder = makeFolder();
  await execute("cp", ["-a", join(template, "data"), folder]);
  const postgres = await clusterIn(folder);
  await postgres.start();
  return postgres;
}

/** Makes what every cluster begins with, once for this process and those that it starts. Returns what removes it. */
export async function makeTemplate(): Promise<() => void> {
  const postgres = await startNew();
  await postgres.stop("fast");
  process.env[TEMPLATE] = postgres.folder;
  return () => rmSync(postgres.folder, { recursive: true });
}

async function startNew(): Promise<Postgres> {
  const folder = makeFolder();
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  giveToServer(passwordFile);
  await run(
    "initdb",
    "-D",
    join(folder, "data"),
    "-U",
    ADMINISTRATOR,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--no-sync",
  );
  const postgres = await clusterIn(folder);
  await postgres.start();
  await postgres.administer(`CREATE ROLE ${USER} LOGIN PASSWORD '${PASSWORD}'`);
  await postgres.administer(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
  return postgres;
}

async function clusterIn(folder: string): Promise<Postgres> {
  const [port = 0] = await freePorts(1);
  const directory = join(folder, "data");
  const control = (...words: string[]) => run("pg_ctl", "-D", directory, "-s", "-w", "-t", "60", ...words);
  const stop = async (mode: "fast" | "immediate"): Promise<void> => {
    if (existsSync(join(directory, "postmaster.pid"))) await control("stop", "-m", mode);
  };
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c shared_buffers=32MB`;
  return {
    port,
    folder,
    url: (at = port) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${at}/${DATABASE}`,
    query: (sql) => psql(port, DATABASE, sql),
    administer: (sql) => psql(port, "postgres", sql),
    start: () => control("start", "-l", join(folder, "log"), "-o", options),
    stop,
    promote: () => control("promote"),
    async addStandby() {
      const copy = makeFolder();
      const source = `host=127.0.0.1 port=${port} user=${ADMINISTRATOR} password=${PASSWORD} application_name=standby`;
      await run(
        "pg_basebackup",
        "-D",
        join(copy, "data"),
        "-R",
        "-X",
        "stream",
        "-c",
        "fast",
        "--no-sync",
        "-d",
        source,
      );
      const standby = await clusterIn(copy);
      await standby.start();
      await psql(port, "postgres", "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await psql(port, "postgres", "SELECT pg_reload_conf()");
      return standby;
    },
    async [Symbol.asyncDispose]() {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function psql(port: number, database: string, sql: string): Promise<string> {
  const words = [
    "-X",
    "-q",
    "-A",
    "-t",
    "-F",
    "\t",
    "-h",
    "127.0.0.1",
    "-p",
    `${port}`,
    "-U",
    ADMINISTRATOR,
    "-d",
    database,
    "-c",
    sql,
  ];
  const env = { ...process.env, PGPASSWORD: PASSWORD };
  const { stdout } = await execute(programs().psql, words, { env, maxBuffer: 2 ** 30 });
  return stdout.trimEnd();
}

async function run(program: "initdb" | "pg_ctl" | "pg_basebackup", ...words: string[]): Promise<void> {
  const child = spawn(programs()[program], words, { ...serverUser(), cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  // Not "close": the server that pg_ctl starts keeps its end of the pipe.
  const [code] = await once(child, "exit");
  child.stderr.destroy();
  if (code !== 0) throw new Error(`${program} ${words.join(" ")} failed: ${complaint}`);
}

/** Debian keeps the server's programs out of the path. */
function programs(): Record<"initdb" | "pg_ctl" | "pg_basebackup" | "psql", string> {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  const folder = versions.map((version) => join(root, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  const at = (name: string): string => (folder === undefined ? name : join(folder, name));
  return { initdb: at("initdb"), pg_ctl: at("pg_ctl"), pg_basebackup: at("pg_basebackup"), psql: at("psql") };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kredo-postgres-"));
  giveToServer(folder);
  return folder;
}

function giveToServer(path: string): void {
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  return { uid: Number(line?.[1]), gid: Number(line?.[2]) };
}
