import { expect, test } from "vitest";
import type { Unreadable } from "../../../src/gateway/adapters/server/unreadable.ts";
import { unreadableLog } from "../../../src/cli/log/unreadable-log.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";

/** Logs problems on a clock that stands still until it is told to move. */
function openLog(httpsPort?: number) {
  const clock = manualWallClock(0);
  const lines: string[] = [];
  const log = unreadableLog(
    (entry) => lines.push(`${entry.level} ${entry.event} ${entry.text()}`),
    { clock },
    httpsPort,
  );
  return { clock, lines, log };
}

test.each<[Unreadable, string]>([
  [
    { kind: "line-ends", scheme: "http", code: "HPE_CR_EXPECTED" },
    "http      a line ends with LF alone; end each line of the head with CR LF (HPE_CR_EXPECTED)",
  ],
  [{ kind: "no-host", scheme: "https" }, "https     a request has no Host header; send one, as HTTP/1.1 requires"],
  [
    { kind: "handshake", scheme: "https", code: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA" },
    "https     a client does not trust the certificate; give it the CA's, as at /ca.pem (ERR_SSL_TLSV1_ALERT_UNKNOWN_CA)",
  ],
  [
    { kind: "handshake", scheme: "https", code: "ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN" },
    "https     a client does not trust the certificate; give it the CA's, as at /ca.pem (ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN)",
  ],
  [
    { kind: "handshake", scheme: "https", code: "ERR_SSL_HTTP_REQUEST" },
    "https     a client does not speak TLS; call this port with https:// (ERR_SSL_HTTP_REQUEST)",
  ],
  [
    { kind: "handshake", scheme: "https", code: "ERR_SSL_UNSUPPORTED_PROTOCOL" },
    "https     a client offers no secure TLS version; let it use 1.2 or newer (ERR_SSL_UNSUPPORTED_PROTOCOL)",
  ],
  [
    { kind: "handshake", scheme: "https", code: "ERR_SSL_DECRYPTION_FAILED" },
    "https     a client's TLS handshake failed; look at the client's own error (ERR_SSL_DECRYPTION_FAILED)",
  ],
])("says what it was and what to change: %j", (unreadable, text) => {
  const { log, lines } = openLog();

  log(unreadable);

  expect(lines).toEqual([`warn unreadable ${text}`]);
});

test.each([
  [8_255, "use http://, or call port 8255"],
  [0, "use http://, or call the port for HTTPS"],
  [undefined, "use http://, or start Kredo with --https"],
])("tells a client that speaks TLS to the HTTP port (HTTPS at %j) where TLS is served", (httpsPort, repair) => {
  const { log, lines } = openLog(httpsPort);

  log({ kind: "tls", scheme: "http" });

  expect(lines).toEqual([`warn unreadable http      a client spoke TLS to the port for HTTP; ${repair}`]);
});

test("logs one line a second of each problem, and how many it left out", () => {
  const { clock, log, lines } = openLog();

  Array.from({ length: 1_000 }, () => log({ kind: "no-host", scheme: "http" }));
  Array.from({ length: 1_000 }, () => log({ kind: "connect", scheme: "http" }));
  clock.advance(1_000);
  log({ kind: "no-host", scheme: "http" });

  expect(lines).toHaveLength(3);
  expect(lines.at(-1)).toBe(
    "warn unreadable http      a request has no Host header; send one, as HTTP/1.1 requires [and 999 more before]",
  );
});
