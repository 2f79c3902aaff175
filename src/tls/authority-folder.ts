import { X509Certificate, createPrivateKey, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir, platform } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Identity, makeAuthority } from "./certificates.ts";
import { messageOf } from "../gateway/domain/message-of.ts";

/** The certificate alone, for clients to trust. */
const CERTIFICATE_FILE = "kredo-ca.pem";
/** Key and certificate, for the sandbox. Nobody else may read it. */
const KEY_FILE = "kredo-ca-key.pem";

/** A certificate authority stored in a folder. */
export interface KeptAuthority extends Identity {
  /** The file with its certificate. */
  readonly file: string;
  /** Set if other users can read its key. */
  readonly warning?: string;
}

/** Thrown if an authority cannot be read from or written to a folder. `isUnwritable` means that the file system does not allow it. */
export class AuthorityProblem extends Error {
  readonly isUnwritable: boolean;

  constructor(
    [place, problem, repair]: readonly [place: string, problem: string, repair: string],
    isUnwritable = false,
  ) {
    super(`${place}: ${problem}; ${repair}`);
    this.isUnwritable = isUnwritable;
  }
}

/** Reads the authority in a folder, or creates it on first use. Throws an `AuthorityProblem`. */
export async function openAuthority(folder: string, now = Date.now()): Promise<KeptAuthority> {
  const kept = await readKept(folder);
  const text = kept ?? (await keep(folder, await makeAuthority(now)));
  const authority = parseKept(text, join(folder, KEY_FILE), now);
  const file = join(folder, CERTIFICATE_FILE);
  await writeCertificate(authority, file, 0o600);
  return { ...authority, file, warning: await warnOfReaders(join(folder, KEY_FILE)) };
}

/** Whoever reads the key can sign for every host that the clients call. */
async function warnOfReaders(file: string): Promise<string | undefined> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0 || platform() === "win32") return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `${file} holds the key of the certificate authority, and other users may use it (mode ${shown}): chmod 600 it`;
}

/** Writes an authority's public certificate to a file for clients. Throws an `AuthorityProblem`. */
export async function writeCertificate({ certificate }: Identity, file: string, mode = 0o644): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => "")) === certificate) return;
  await writeFile(file, certificate, { mode }).catch(refuseToWrite(file));
}

function readKept(folder: string): Promise<string | undefined> {
  const file = join(folder, KEY_FILE);
  return readFile(file, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new AuthorityProblem([file, `cannot be read (${code})`, "make it readable, or name another folder"]);
  });
}

/** Writes to a temporary file and links it, so that two sandboxes that start together use the same authority. */
async function keep(folder: string, made: Identity): Promise<string> {
  const file = join(folder, KEY_FILE);
  const aside = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseToWrite(folder));
  await writeFile(aside, made.key + made.certificate, { mode: 0o600, flag: "wx" }).catch(refuseToWrite(folder));
  try {
    await link(aside, file).catch(async ({ code }: NodeJS.ErrnoException) => {
      // Some file systems do not support links.
      if (code !== "EEXIST") await rename(aside, file).catch(refuseToWrite(folder));
    });
    return await readFile(file, "utf8");
  } finally {
    await rm(aside, { force: true });
  }
}

function parseKept(text: string, file: string, now: number): Identity {
  const [key] = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----\n?/.exec(text) ?? [];
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\r?\n?/.exec(text) ?? [];
  if (key === undefined || certificate === undefined) throw unusable(file, "has no key or no certificate in it");
  const wrong = judge({ key, certificate }, now);
  if (wrong !== undefined) throw unusable(file, wrong);
  return { key, certificate };
}

function unusable(file: string, problem: string): AuthorityProblem {
  const repair = "remove it; the next start creates a new one, which clients must trust again";
  return new AuthorityProblem([file, problem, repair]);
}

/** Returns what is wrong with an identity, if anything is. */
function judge({ key, certificate }: Identity, now: number): string | undefined {
  try {
    const read = new X509Certificate(certificate);
    if (read.publicKey.asymmetricKeyType !== "rsa")
      return `has a key of the kind ${read.publicKey.asymmetricKeyType}, not rsa`;
    if (!read.ca) return "is not a certificate authority's";
    if (!read.checkPrivateKey(createPrivateKey(key))) return "has a key that belongs to another certificate";
    return Date.parse(read.validTo) < now ? `has expired (${read.validTo})` : undefined;
  } catch (error) {
    return `cannot be read as PEM (${messageOf(error)})`;
  }
}

function refuseToWrite(place: string): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    throw new AuthorityProblem([place, `cannot be written (${code})`, "name a folder that can"], true);
  };
}

/** Returns the user's folder for application data; /data in Kredo's own image. */
export function ownFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env["KREDO_IMAGE"]) return "/data";
  const home = env["HOME"] || homedir();
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "kredo");
  if (platform === "darwin") return join(home, "Library", "Application Support", "kredo");
  // A relative path counts as unset (XDG Base Directory Specification 0.8).
  const said = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(said) ? said : join(home, ".local", "share"), "kredo");
}
