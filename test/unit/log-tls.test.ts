import { expect, test } from "vitest";
import { explainTlsFailure } from "../../src/cli/log/event-log.ts";

test.each([
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  ["ERR_SSL_HTTP_REQUEST", "it does not speak TLS; call this port by https://"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "it speaks no TLS that is safe; 1.2 is the oldest here"],
  ["ERR_SSL_DECRYPTION_FAILED", "its TLS handshake failed"],
])("explains %s", (code, explanation) => {
  expect(explainTlsFailure(code)).toMatchObject({ level: "warn", text: `https     a client left: ${explanation} (${code})` });
});
