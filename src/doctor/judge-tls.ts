import type { Certificate, TlsSeen } from "../ports/network-probe.ts";
import { doubt, fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";

/** Whether the connection can be secured as the URL says, with a certificate that is believed. */
export function judgeTls(observed: Observed): Judgement {
  const { tls, target } = observed;
  if (!target.secure) return judgePlain(observed);
  if (tls === undefined) return skip("not reached");
  switch (tls.kind) {
    case "trusted":
      return well(`the certificate of ${tls.certificate.subject} is good until ${tls.certificate.validTo}`);
    case "distrusted":
      return judgeDistrusted(tls, observed);
    case "timed_out":
      return fail(
        "the port takes connections and says nothing of TLS",
        "if it speaks plain HTTP, register it with http://; otherwise look at the receiver",
      );
    case "failed":
      return fail(`no TLS (${tls.code})`, repairHandshake(tls.code));
  }
}

function judgePlain({ tls, delivered }: Observed): Judgement {
  if (tls?.kind === "trusted" || tls?.kind === "distrusted")
    return fail("the URL says http://, and the port speaks TLS", "register it with https://");
  return skip(delivered === undefined ? "not reached" : "http:// uses none");
}

type Distrusted = Extract<TlsSeen, { kind: "distrusted" }>;

function judgeDistrusted({ code, certificate }: Distrusted, { isInsecure, target }: Observed): Judgement {
  const [seen, repair] = explainCertificate(code, certificate, target.host);
  return isInsecure ? doubt(`${seen} (${code}), taken because \`insecure\` is set`, repair) : fail(`${seen} (${code})`, repair);
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
      return [`the certificate of ${subject} is from ${issuer}, an authority nobody here knows`, AUTHORITY];
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return [
        `the certificate of ${subject} is from ${issuer}, which is not known here`,
        `let the receiver send the whole chain (fullchain.pem, not cert.pem); if the authority is your own, ${AUTHORITY}`,
      ];
    case "CERT_HAS_EXPIRED":
      return [
        `the certificate of ${subject} ended ${validTo}`,
        "renew it; if that was done, restart the receiver, which still has the old one",
      ];
    case "CERT_NOT_YET_VALID":
      return [`the certificate of ${subject} begins ${validFrom}`, "check the clocks of this machine and of the one that made it"];
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return [
        `the certificate is for ${names.join(", ") || subject}, not for ${host}`,
        "register a name that it carries, or have it made for this one, too",
      ];
    default:
      return [`the certificate of ${subject} from ${issuer} is not believed`, AUTHORITY];
  }
}

const AUTHORITY =
  "give the authority's PEM as `ca` in the callback settings, or set `insecure` there (PUT .../callbacks); a public receiver needs a certificate of a public authority";

function repairHandshake(code: string): string {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|^ECONNRESET$/.test(code))
    return "the port does not seem to speak TLS: register it with http://, or the port that does";
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) return "let the receiver offer TLS 1.2 or 1.3";
  if (/HANDSHAKE_FAILURE|ALERT/.test(code))
    return "the receiver refused: check that it has a certificate for this name, and asks for none of the client";
  return "check how the receiver is set up for TLS";
}
