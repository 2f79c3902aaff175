import type { Certificate, TlsHandshake } from "../ports/network-probe.ts";
import { warn, fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";

/** Checks whether the port uses TLS if the URL says so, with a trusted certificate. */
export function checkTls(observed: Observations): CheckResult {
  const { tls, target } = observed;
  if (!target.secure) return judgePlain(observed);
  if (tls === undefined) return skip("not reached");
  switch (tls.kind) {
    case "trusted":
      return ok(`the certificate of ${tls.certificate.subject} is valid until ${tls.certificate.validTo}`);
    case "distrusted":
      return judgeDistrusted(tls, observed);
    case "timed_out":
      return fail(
        "the port accepts connections but does not start TLS",
        "if it speaks plain HTTP, register it with http://; otherwise check the receiver",
      );
    case "failed":
      return fail(`no TLS (${tls.code})`, repairHandshake(tls.code));
  }
}

function judgePlain({ tls, delivered }: Observations): CheckResult {
  if (tls?.kind === "trusted" || tls?.kind === "distrusted")
    return fail("the URL says http://, and the port speaks TLS", "register it with https://");
  return skip(delivered === undefined ? "not reached" : "http:// does not use TLS");
}

type UntrustedCertificate = Extract<TlsHandshake, { kind: "distrusted" }>;

function judgeDistrusted(
  { code, certificate }: UntrustedCertificate,
  { isInsecure, target }: Observations,
): CheckResult {
  const [seen, repair] = explainCertificate(code, certificate, target.host);
  return isInsecure
    ? warn(`${seen} (${code}), accepted because \`insecure\` is set`, repair)
    : fail(`${seen} (${code})`, repair);
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
