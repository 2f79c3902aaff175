import { generateKeyPair, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { promisify } from "node:util";
import type forge from "node-forge";

/** A certificate and its private key, as PEM text. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

const DAY = 24 * 60 * 60 * 1_000;
/** It is trusted once, and should outlast the project. */
const AUTHORITY_DAYS = 3_650;
/** Apple's systems take no longer one (support.apple.com/103769: 825 days); made anew at each start, it need not be. */
const SERVER_DAYS = 397;
/** Clocks of containers and virtual machines may be behind. */
const HEAD_START = DAY;

/** Makes a certificate authority of its own name, which signs servers' certificates and nothing else. */
export async function makeAuthority(now = Date.now()): Promise<Identity> {
  const pki = await loadPki();
  const pair = await drawKeys(pki);
  const certificate = begin(pki, pair, { now, days: AUTHORITY_DAYS });
  // Told apart by name: two of them may be trusted on one machine.
  const name = [
    { name: "organizationName", value: "Kredo" },
    { name: "commonName", value: `Kredo local CA ${printable(hostname())} ${randomBytes(4).toString("hex")}` },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
  certificate.sign(pair.privateKey, pki.sha256());
  return { certificate: pki.certificateToPem(certificate), key: pair.pem };
}

/** The characters of a PrintableString that a host's name may have. */
function printable(name: string): string {
  return name.replace(/[^A-Za-z0-9.-]/g, "-");
}

/** Signs a server's certificate for names and addresses, with a key of its own. */
export async function signServer(authority: Identity, names: readonly string[], now = Date.now()): Promise<Identity> {
  const pki = await loadPki();
  const issuer = pki.certificateFromPem(authority.certificate);
  const pair = await drawKeys(pki);
  const certificate = begin(pki, pair, { now, days: SERVER_DAYS });
  certificate.setSubject([{ name: "commonName", value: names[0] ?? "localhost" }]);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectKeyIdentifier" },
    // Strict verifiers, Python's from 3.13 on among them, ask for it (RFC 5280 section 4.2.1.1).
    { name: "authorityKeyIdentifier", keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    { name: "subjectAltName", altNames: names.map(altName) },
  ]);
  certificate.sign(pki.privateKeyFromPem(authority.key), pki.sha256());
  return { certificate: pki.certificateToPem(certificate), key: pair.pem };
}

type Pki = typeof forge.pki & { readonly sha256: () => forge.md.MessageDigest };

/** Loaded at first use: who asks for no HTTPS does not pay for it. */
async function loadPki(): Promise<Pki> {
  const { pki, md } = (await import("node-forge")).default;
  return { ...pki, sha256: () => md.sha256.create() };
}

interface Keys {
  readonly publicKey: forge.pki.rsa.PublicKey;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly pem: string;
}

/** RSA, because the library signs with nothing else; drawn by Node, which takes a tenth of the time. */
async function drawKeys(pki: Pki): Promise<Keys> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { publicKey: pki.publicKeyFromPem(publicKey), privateKey: pki.privateKeyFromPem(privateKey), pem: privateKey };
}

function begin(pki: Pki, { publicKey }: Keys, { now, days }: { now: number; days: number }): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = drawSerial();
  certificate.validity.notBefore = new Date(now - HEAD_START);
  certificate.validity.notAfter = new Date(now + days * DAY);
  return certificate;
}

/** Positive, without leading zeros, and of 20 bytes at most (RFC 5280 section 4.1.2.2). */
function drawSerial(): string {
  return `4${randomBytes(16).toString("hex").slice(1)}`;
}

/** The numbers of GeneralName's choices: a DNS name, an IP address (RFC 5280 section 4.2.1.6). */
function altName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}

/** What clients call a sandbox by: on this machine, from the next one, from a container, in a Compose file. */
export function ownNames(): string[] {
  return ["localhost", "127.0.0.1", "::1", hostname().toLowerCase(), "host.docker.internal", "kredo"];
}
