import { resolve } from "node:path";
import { AuthorityProblem, openAuthority, ownFolder, writeCertificate } from "./authority-folder.ts";
import { type Identity, makeAuthority, ownNames, signServer } from "./certificates.ts";

export { AuthorityProblem } from "./authority-folder.ts";

/** The sandbox's TLS identity, and the certificate authority that clients have to trust. */
export interface HttpsCredentials {
  readonly server: Identity;
  /** The authority's certificate, as PEM text. */
  readonly ca: string;
  /** The file that holds it; undefined if the authority is for this run only. */
  readonly caFile?: string;
  /** Why the authority is for this run only, if that was not intended, or that others can read its key. */
  readonly warning?: string;
}

export interface HttpsSettings {
  /** Where the authority is stored. */
  readonly ca_folder?: string;
  /** A file to write the authority's certificate to as well. */
  readonly ca_out?: string;
  /** Names and addresses for the certificate besides the usual ones. */
  readonly names: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Opens the certificate authority, creating it on first use, and has it sign a certificate for this run. Without `env` and `ca_folder`, the
 * authority is for this run only. Throws an `AuthorityProblem`.
 */
export async function prepareHttps(https: HttpsSettings, host: string, env?: Variables): Promise<HttpsCredentials> {
  const { authority, ...found } = await findAuthority(https.ca_folder, env);
  if (https.ca_out !== undefined) await writeCertificate(authority, https.ca_out);
  const server = await signServer(authority, namesOf(https, host));
  const caFile = https.ca_out ?? found.caFile;
  return { server, ca: authority.certificate, ...found, ...(caFile !== undefined && { caFile: resolve(caFile) }) };
}

interface Found {
  readonly authority: Identity;
  readonly caFile?: string;
  readonly warning?: string;
}

/** Falls back to an authority for this run only if the default folder is not writable, as in a read-only container. */
async function findAuthority(folder: string | undefined, env: Variables | undefined): Promise<Found> {
  if (folder === undefined && env === undefined) return { authority: await makeAuthority() };
  const place = folder ?? ownFolder(env ?? {});
  try {
    const { file, warning, ...authority } = await openAuthority(place);
    return { authority, caFile: file, warning };
  } catch (error) {
    if (folder !== undefined || !(error instanceof AuthorityProblem) || !error.isUnwritable) throw error;
    const warning = `${place} cannot be written: the certificate authority is for this run only; keep one with --ca-folder`;
    return { authority: await makeAuthority(), warning };
  }
}

/** Returns the usual names, the listening address and the configured names. */
function namesOf({ names }: HttpsSettings, host: string): string[] {
  const listening = UNSPECIFIED.has(host) ? [] : [host];
  return [...new Set([...ownNames(), ...listening, ...names])];
}

const UNSPECIFIED = new Set(["0.0.0.0", "::"]);
