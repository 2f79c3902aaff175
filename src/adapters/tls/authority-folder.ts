import { X509Certificate, createPrivateKey, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Identity, makeAuthority } from "./certificates.ts";
import { messageOf } from "../../domain/message-of.ts";

/** The certificate alone, for whoever is to trust it. */
const CERTIFICATE_FILE = "kredo-ca.pem";
/** Key and certificate, for the sandbox; nobody else may read it. */
const KEY_FILE = "kredo-ca-key.pem";

/** A certificate authority that lives in a folder. */
export interface KeptAuthority extends Identity {
  /** The file of its certificate. */
  readonly file: string;
}

/** A folder that no authority can be read from, or written to; `isUnwritable` where the file system does not let us. */
export class AuthorityProblem extends Error {
  readonly isUnwritable: boolean;

  constructor([place, problem, repair]: readonly [place: string, problem: string, repair: string], isUnwritable = false) {
    super(`${place}: ${problem}; ${repair}`);
    this.isUnwritable = isUnwritable;
  }
}

/** Reads the authority that a folder holds, or makes it on first use. Throws an `AuthorityProblem`. */
export async function openAuthority(folder: string, now = Date.now()): Promise<KeptAuthority> {
  const kept = await readKept(folder);
  const text = kept ?? (await keep(folder, await makeAuthority(now)));
  const authority = parseKept(text, join(folder, KEY_FILE), now);
  const file = join(folder, CERTIFICATE_FILE);
  await writeCertificate(authority, file, 0o600);
  return { ...authority, file };
}

/** Writes an authority's certificate, which is public, where clients are to find it. Throws an `AuthorityProblem`. */
export async function writeCertificate({ certificate }: Identity, file: string, mode = 0o644): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => "")) === certificate) return;
  await writeFile(file, certificate, { mode }).catch(refuseToWrite(file));
}

async function readKept(folder: string): Promise<string | undefined> {
  const file = join(folder, KEY_FILE);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "ENOENT" || reason === "ENOTDIR") return undefined;
    throw new AuthorityProblem([file, `cannot be read (${reason})`, "make it readable, or name another folder"]);
  }
}

/** Written aside and then linked, so that of two sandboxes that begin together both go on with the first one's. */
async function keep(folder: string, made: Identity): Promise<string> {
  const file = join(folder, KEY_FILE);
  const aside = `${file}.${randomUUID()}`;
  const text = `${made.key}${made.certificate}`;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseToWrite(folder));
  await writeFile(aside, text, { mode: 0o600, flag: "wx" }).catch(refuseToWrite(folder));
  try {
    await link(aside, file);
    return text;
  } catch (error) {
    if (reasonOf(error) === "EEXIST") return await readFile(file, "utf8");
    // Some file systems have no links.
    await rename(aside, file).catch(refuseToWrite(folder));
    return text;
  } finally {
    await rm(aside, { force: true });
  }
}

function parseKept(text: string, file: string, now: number): Identity {
  const [key] = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----\n?/.exec(text) ?? [];
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\r?\n?/.exec(text) ?? [];
  const wrong = key === undefined || certificate === undefined ? "has no key or no certificate in it" : judge({ key, certificate }, now);
  if (wrong === undefined && key !== undefined && certificate !== undefined) return { key, certificate };
  throw new AuthorityProblem([file, wrong ?? "cannot be used", "remove it, and the next start makes a new one, to be trusted anew"]);
}

/** What is wrong with it. */
function judge({ key, certificate }: Identity, now: number): string | undefined {
  try {
    const read = new X509Certificate(certificate);
    if (!read.ca) return "is no certificate authority's";
    if (!read.checkPrivateKey(createPrivateKey(key))) return "has a key that belongs to another certificate";
    return Date.parse(read.validTo) < now ? `has expired (${read.validTo})` : undefined;
  } catch (error) {
    return `cannot be read as PEM (${messageOf(error)})`;
  }
}

function refuseToWrite(place: string): (error: unknown) => never {
  return (error) => {
    throw new AuthorityProblem([place, `cannot be written (${reasonOf(error)})`, "name a folder that can"], true);
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}

/** The folder in which the user's machine keeps what Kredo must not lose; in Kredo's own image it is /data. */
export function ownFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform = process.platform): string {
  if (env["KREDO_IMAGE"]) return "/data";
  const home = env["HOME"] || homedir();
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "kredo");
  if (platform === "darwin") return join(home, "Library", "Application Support", "kredo");
  // A relative path counts as unset (XDG Base Directory Specification 0.8).
  const said = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(said) ? said : join(home, ".local", "share"), "kredo");
}
