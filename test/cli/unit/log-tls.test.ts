import { expect, test } from "vitest";
import { explainTlsFailure } from "../../../src/cli/event-log.ts";

test.each([
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  ["ERR_SSL_HTTP_REQUEST", "it does not speak TLS; call this port with https://"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "it offers no secure TLS version; 1.2 is the oldest accepted"],
  ["ERR_SSL_DECRYPTION_FAILED", "its TLS handshake failed"],
])("explains %s", (code, explanation) => {
  expect({ ...explainTlsFailure(code), text: explainTlsFailure(code).text() }).toMatchObject({
    level: "warn",
    text: `https     a client disconnected: ${explanation} (${code})`,
  });
});
