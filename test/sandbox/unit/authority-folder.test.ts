import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAuthority, ownFolder } from "../../../src/tls/authority-folder.ts";
import { makeAuthority, signServer } from "../../../src/tls/certificates.ts";
import { prepareHttps } from "../../../src/tls/https.ts";

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "kredo-ca-"));
}

/** Drawn once: a key takes its time. */
const AUTHORITY = makeAuthority();

/** A folder that holds the authority, with its certificate taken away. */
async function keptFolder(): Promise<string> {
  const folder = freshFolder();
  const { key, certificate } = await AUTHORITY;
  writeFileSync(join(folder, "kredo-ca-key.pem"), key + certificate);
  return folder;
}

test("makes an authority on first use, keeps it for the next, and its key from everybody else", async () => {
  const folder = join(freshFolder(), "deep", "below");

  const first = await openAuthority(folder);
  const second = await openAuthority(folder);

  expect(second).toEqual(first);
  expect(readdirSync(folder).toSorted()).toEqual(["kredo-ca-key.pem", "kredo-ca.pem"]);
  expect(readFileSync(first.file, "utf8")).toBe(first.certificate);
  expect(first.certificate).not.toContain("PRIVATE KEY");
  expect(statSync(join(folder, "kredo-ca-key.pem")).mode & 0o777).toBe(0o600);
  expect(statSync(first.file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each(["\n", "\r\n"])("goes on with a kept key and certificate whose lines end in %j", async (lineEnd) => {
  const folder = freshFolder();
  const { key, certificate } = await AUTHORITY;
  const text = `${certificate}notes\n${key}`.replaceAll(/\r?\n/g, lineEnd);
  writeFileSync(join(folder, "kredo-ca-key.pem"), text);

  const opened = await openAuthority(folder);

  expect(text.split("notes").map((part) => part.trim())).toEqual([opened.certificate.trim(), opened.key.trim()]);
});

/** Of an authority whose key is on the curve P-256; valid for a hundred years. */
const EC_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIUZ2eJ10klu2gi4/SSgqDM7BaWeg8wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHZWMudGVzdDAgFw0yNjExMjgwNjM5MDNaGA8yMTI2MTEwNDA2
MzkwM1owEjEQMA4GA1UEAwwHZWMudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABHlLwVR7rWYUJlUfs0GFr35moxS1aED7ENqX+aSn4kDN83zVcIKahVSWjNQo
qzwUzXG4UWEyhEzw09qfxQdGbkCjUzBRMB0GA1UdDgQWBBTI4Gf49uaTmQKVDuTv
hw4TCYsTIDAfBgNVHSMEGDAWgBTI4Gf49uaTmQKVDuTvhw4TCYsTIDAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCJ7S/4PfuR5o6lE2PytQ0hVI9I
TABVzvK9/4pUdvA8mwIhAOz5QlH/nFdbdejLTYCnuNGdTM8JVV5bwHuGK6faWaT9
-----END CERTIFICATE-----
`;

test.each([0o644, 0o640, 0o604])("warns of a key that others may read (mode %o)", async (mode) => {
  const folder = await keptFolder();
  chmodSync(join(folder, "kredo-ca-key.pem"), mode);

  const { warning } = await prepareHttps({ ca_folder: folder, names: [] }, "127.0.0.1");

  expect(warning).toBe(
    `${join(folder, "kredo-ca-key.pem")} holds the key of the certificate authority, and other users may use it (mode 0${mode.toString(8)}): chmod 600 it`,
  );
});

test("two that begin together go on with one authority", async () => {
  const folder = freshFolder();

  const [one, other] = await Promise.all([openAuthority(folder), openAuthority(folder)]);

  expect(one).toEqual(other);
});

test("writes the certificate anew when somebody emptied it or took it away", async () => {
  const folder = freshFolder();
  const { file, certificate } = await openAuthority(folder);

  writeFileSync(file, "");
  await openAuthority(folder);
  const emptied = readFileSync(file, "utf8");
  rmSync(file);
  await openAuthority(folder);

  expect({ emptied, written: readFileSync(file, "utf8") }).toEqual({ emptied: certificate, written: certificate });
});

const NO_PEM = (kind: string): string => `-----BEGIN ${kind}-----\nAAAA\n-----END ${kind}-----\n`;

test.each<[string, () => string | Promise<string>, RegExp]>([
  [
    "nothing of the kind",
    () => "nothing of the kind",
    /kredo-ca-key\.pem: has no key or no certificate in it; remove it/,
  ],
  ["a key alone", () => NO_PEM("PRIVATE KEY"), /has no key or no certificate in it/],
  ["a certificate alone", () => NO_PEM("CERTIFICATE"), /has no key or no certificate in it/],
  ["what is no PEM", () => NO_PEM("PRIVATE KEY") + NO_PEM("CERTIFICATE"), /cannot be read as PEM/],
  [
    "a key that is not RSA",
    () => ecKey() + EC_CERTIFICATE,
    /kredo-ca-key.pem: has a key of the kind ec, not rsa; remove it/,
  ],
  [
    "the key of another authority",
    async () => (await AUTHORITY).key + (await makeAuthority()).certificate,
    /has a key that belongs to another certificate/,
  ],
  [
    "an authority that has expired",
    async () => textOf(await makeAuthority(Date.parse("2005-01-06T06:00:00Z"))),
    /has expired \(Jan {2}4 .* 2015 GMT\); remove it/,
  ],
  [
    "a certificate that is no authority's",
    async () => textOf(await signServer(await AUTHORITY, ["localhost"])),
    /is not a certificate authority's; remove it/,
  ],
])("refuses a file with %s", async (_what, write, message) => {
  const folder = freshFolder();
  writeFileSync(join(folder, "kredo-ca-key.pem"), await write());

  await expect(openAuthority(folder)).rejects.toThrow(message);
});

function textOf({ key, certificate }: { readonly key: string; readonly certificate: string }): string {
  return key + certificate;
}

function ecKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "sec1", format: "pem" }).toString();
}

test("accepts an authority to its last second", async () => {
  const folder = await keptFolder();
  const last = Date.parse(new X509Certificate((await AUTHORITY).certificate).validTo);

  await expect(openAuthority(folder, last)).resolves.toMatchObject(await AUTHORITY);
  await expect(openAuthority(folder, last + 1)).rejects.toThrow("has expired");
});

test("says which file cannot be read, which is no reason to do without", async () => {
  const folder = freshFolder();
  const place = join(folder, "kredo-ca-key.pem");
  mkdirSync(place);

  await expect(openAuthority(folder)).rejects.toMatchObject({
    message: `${place}: cannot be read (EISDIR); make it readable, or name another folder`,
    isUnwritable: false,
  });
});

test("says which certificate cannot be written", async () => {
  const folder = await keptFolder();
  const place = join(folder, "kredo-ca.pem");
  mkdirSync(place);

  await expect(openAuthority(folder)).rejects.toMatchObject({
    message: `${place}: cannot be written (EISDIR); name a folder that can`,
    isUnwritable: true,
  });
});

test("signs for names and addresses, and for nothing else", async () => {
  const authority = await AUTHORITY;

  const server = new X509Certificate(
    (await signServer(authority, ["localhost", "*.kredo.test", "127.0.0.1", "::1"])).certificate,
  );

  const issuer = new X509Certificate(authority.certificate);
  expect(server.checkIssued(issuer) && server.verify(issuer.publicKey)).toBe(true);
  expect({ serverCa: server.ca, issuerCa: issuer.ca }).toEqual({ serverCa: false, issuerCa: true });
  expect(["localhost", "a.kredo.test", "kredo.test"].map((name) => server.checkHost(name) !== undefined)).toEqual([
    true,
    true,
    false,
  ]);
  expect(["127.0.0.1", "::1", "127.0.0.2"].map((address) => server.checkIP(address) !== undefined)).toEqual([
    true,
    true,
    false,
  ]);
});

test("is for every name that a sandbox goes by, and those that were said", async () => {
  const folder = freshFolder();
  const https = { port: 0, names: ["pay.test"], ca_folder: folder, ca_out: join(folder, "out.pem") };

  const { server, ca, caFile } = await prepareHttps(https, "10.1.2.3", {});

  const { subjectAltName } = new X509Certificate(server.certificate);
  expect(subjectAltName).toMatch(/^DNS:localhost, IP Address:127\.0\.0\.1, IP Address:0:0:0:0:0:0:0:1, /);
  expect(subjectAltName).toMatch(/DNS:host\.docker\.internal, DNS:kredo, IP Address:10\.1\.2\.3, DNS:pay\.test$/);
  expect(caFile).toBe(join(folder, "out.pem"));
  expect(readFileSync(join(folder, "out.pem"), "utf8")).toBe(ca);
  expect(statSync(join(folder, "out.pem")).mode & 0o777).toBe(0o644);
});

test("one that cannot be kept in the usual place is for this run, and says so", async () => {
  const file = join(freshFolder(), "a-file");
  writeFileSync(file, "");

  const { caFile, warning } = await prepareHttps({ names: [] }, "127.0.0.1", {
    XDG_DATA_HOME: file,
  });

  expect(caFile).toBeUndefined();
  expect(warning).toBe(
    `${file}/kredo cannot be written: the certificate authority is for this run only; keep one with --ca-folder`,
  );
});

test("one that cannot be kept in the place that was said is refused", async () => {
  const file = join(freshFolder(), "a-file");
  writeFileSync(file, "");

  await expect(prepareHttps({ names: [], ca_folder: file }, "127.0.0.1", {})).rejects.toThrow(/cannot be written \(/);
});

test.each([
  [{ HOME: "/home/a" }, "linux", "/home/a/.local/share/kredo"],
  [{ HOME: "/home/a", XDG_DATA_HOME: "/data/a" }, "linux", "/data/a/kredo"],
  [{ HOME: "/home/a", XDG_DATA_HOME: "not/absolute" }, "linux", "/home/a/.local/share/kredo"],
  [{ HOME: "/Users/a" }, "darwin", "/Users/a/Library/Application Support/kredo"],
  [{ HOME: "/home/a", LOCALAPPDATA: "/c/Local" }, "win32", "/c/Local/kredo"],
  [{ HOME: "/home/node", KREDO_IMAGE: "1" }, "linux", "/data"],
] as const)("with %j on %s it is kept in %s", (env, platform, folder) => {
  expect(ownFolder(env, platform)).toBe(folder);
});
