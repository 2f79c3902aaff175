import { expect, test } from "vitest";
import { checkConnection, checkName } from "../../../src/verdict/doctor/check-route.ts";
import { checkTls } from "../../../src/verdict/doctor/check-tls.ts";
import type { ConnectionAttempt } from "../../../src/verdict/doctor/network-probe-port.ts";
import { CERTIFICATE, observed, stoppedAt } from "../../support/observed.ts";

const UNRESOLVED = { kind: "unresolved", code: "ENOTFOUND" } as const;
const REFUSED: ConnectionAttempt = { kind: "refused" };
const OPEN: ConnectionAttempt = { kind: "connected" };
const SILENT: ConnectionAttempt = { kind: "timed_out" };

test("names the addresses of a host", () => {
  const judgement = checkName(
    observed({ url: "http://localhost:3000/", name: { kind: "resolved", addresses: ["::1", "127.0.0.1"] } }),
  );

  expect(judgement).toEqual({ verdict: "ok", seen: "localhost is ::1 and 127.0.0.1" });
});

test.each([
  ["host.docker.internal", "Docker", 'extra_hosts: ["host.docker.internal:host-gateway"]'],
  ["host.docker.internal", undefined, "register localhost"],
  ["shop", undefined, "names of Compose services resolve only inside their network"],
  ["shop", "Docker", "on the same network"],
  ["hooks.example.co.ke", undefined, "check the spelling"],
])("says what to do where %s has no address", (host, container, repair) => {
  const judgement = checkName(observed({ url: `http://${host}:3000/`, name: UNRESOLVED, container }));

  expect(judgement).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
});

test("is content with a connection to the first address", () => {
  expect(checkConnection(observed())).toEqual({ verdict: "ok", seen: "127.0.0.1 port 3000 accepts connections" });
});

test("doubts a name whose first address is not the one that is listened at", () => {
  const judgement = checkConnection(
    observed({ ...stoppedAt({ "::1": REFUSED, "127.0.0.1": OPEN }), url: "http://localhost:3000/hooks?token=s3cret" }),
  );

  expect(judgement).toEqual({
    verdict: "warning",
    seen: "localhost is ::1 first, where nothing listens (connection refused); 127.0.0.1 port 3000 accepts connections, and callbacks find it",
    repair: "let the receiver listen on both, or register 127.0.0.1: a client that tries one address finds nothing",
  });
});

test.each([
  ["nothing on this machine", "http://127.0.0.1:3000/", { "127.0.0.1": REFUSED }, undefined, "which port it printed"],
  [
    "the container itself",
    "http://localhost:3000/",
    { "127.0.0.1": REFUSED },
    "Docker",
    "register host.docker.internal",
  ],
  ["another machine", "http://192.168.1.30:3000/", { "192.168.1.30": REFUSED }, undefined, "listen on 0.0.0.0"],
  [
    "a firewall",
    "http://hooks.example.co.ke/",
    { "203.0.113.9": SILENT },
    undefined,
    "a firewall drops the connection",
  ],
])("recognises %s", (_what, url, connections, container, repair) => {
  const judgement = checkConnection(observed({ ...stoppedAt(connections), url, container }));

  expect(judgement).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
});

test("hands on why an address may not be called", () => {
  const judgement = checkConnection(
    observed(stoppedAt({ "203.0.113.9": { kind: "forbidden", reason: "list it under callback_allow" } })),
  );

  expect(judgement).toMatchObject({ verdict: "failed", repair: "list it under callback_allow" });
});

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed", "`ca`"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "an unknown authority", "`ca`"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unknown here", "fullchain.pem"],
  ["CERT_HAS_EXPIRED", "expired Jan  6 06:00:00 2026 GMT", "renew it"],
  ["CERT_NOT_YET_VALID", "is valid from Jan  6 06:00:00 2025 GMT", "clocks"],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "is for hooks.example.co.ke, not for pay.example.co.ke",
    "register a name it covers",
  ],
])("explains a certificate that is refused with %s", (code, seen, repair) => {
  const url = "https://pay.example.co.ke/";

  const judgement = checkTls(
    observed({ url, tls: { kind: "distrusted", code, certificate: CERTIFICATE }, delivered: undefined }),
  );

  expect(judgement).toEqual({
    verdict: "failed",
    seen: expect.stringContaining(seen),
    repair: expect.stringContaining(repair),
  });
});

test("doubts a certificate that is taken only because the settings say so", () => {
  const tls = { kind: "distrusted", code: "CERT_HAS_EXPIRED", certificate: CERTIFICATE } as const;

  expect(checkTls(observed({ url: "https://localhost/", tls, isInsecure: true }))).toMatchObject({
    verdict: "warning",
  });
});

test("asks nothing of TLS where the URL says http", () => {
  expect(checkTls(observed())).toEqual({ verdict: "skipped", seen: "http:// does not use TLS" });
});
