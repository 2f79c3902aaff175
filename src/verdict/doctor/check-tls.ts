import type { Certificate, TlsHandshake } from "./network-probe-port.ts";
import type { RouteResult } from "./diagnose.ts";
import type { Observations } from "./observe-receiver.ts";

/** Checks whether the port of an https URL uses TLS, with a trusted certificate. */
export function checkTls(observed: Observations): RouteResult {
  const { tls, target } = observed;
  if (!target.secure) return { verdict: "skipped", seen: "http:// does not use TLS" };
  if (tls === undefined) return { verdict: "skipped", seen: "not reached" };
  switch (tls.kind) {
    case "trusted": {
      const { subject, validTo } = tls.certificate;
      return { verdict: "ok", seen: `the certificate of ${subject} is valid until ${validTo}` };
    }
    case "distrusted":
      return judgeDistrusted(tls, observed);
    case "timed_out":
      return {
        verdict: "failed",
        seen: "the port accepts connections but does not start TLS",
        repair: "if it speaks plain HTTP, register it with http://; otherwise check the receiver",
      };
    case "failed":
      return { verdict: "failed", seen: `no TLS (${tls.code})`, repair: repairHandshake(tls.code) };
  }
}

type UntrustedCertificate = Extract<TlsHandshake, { kind: "distrusted" }>;

function judgeDistrusted(
  { code, certificate }: UntrustedCertificate,
  { isInsecure, target }: Observations,
): RouteResult {
  const [seen, repair] = explainCertificate(code, certificate, target.host);
  return isInsecure
    ? { verdict: "warning", seen: `${seen} (${code}), accepted because \`insecure\` is set`, repair }
    : { verdict: "failed", seen: `${seen} (${code})`, repair };
}

function explainCertificate(
  code: string,
  { subject, issuer, names, validFrom, validTo }: Certificate,
  host: string,
): readonly [string, string] {
  switch (code) {
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return [`the certificate of ${subject} is self-signed`, AUTHORITY];
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return [`the certificate of ${subject} is from ${issuer}, an unknown authority`, AUTHORITY];
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return [
        `the certificate of ${subject} is from ${issuer}, which is unknown here`,
        `let the receiver send the whole chain (fullchain.pem, not cert.pem); if the authority is your own, ${AUTHORITY}`,
      ];
    case "CERT_HAS_EXPIRED":
      return [
        `the certificate of ${subject} expired ${validTo}`,
        "renew it; if you did, restart the receiver, which still uses the old one",
      ];
    case "CERT_NOT_YET_VALID":
      return [
        `the certificate of ${subject} is valid from ${validFrom}`,
        "check the clocks of this machine and of the one that issued it",
      ];
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return [
        `the certificate is for ${names.join(", ") || subject}, not for ${host}`,
        "register a name it covers, or reissue it for this one, too",
      ];
    default:
      return [`the certificate of ${subject} from ${issuer} is not trusted`, AUTHORITY];
  }
}

const AUTHORITY =
  "give the authority's PEM as `ca` in the callback settings, or set `insecure` there (PUT .../callbacks); a public receiver needs a certificate of a public authority";

function repairHandshake(code: string): string {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|^ECONNRESET$/.test(code))
    return "the port does not seem to speak TLS: register it with http://, or the port that does";
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) return "enable TLS 1.2 or 1.3 on the receiver";
  if (/HANDSHAKE_FAILURE|ALERT/.test(code))
    return "the receiver refused: check that it has a certificate for this name and requires none from the client";
  return "check the receiver's TLS settings";
}
