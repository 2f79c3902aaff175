import { expect, test } from "vitest";
import { checkName } from "../../src/doctor/check-name.ts";
import { checkTcp } from "../../src/doctor/check-tcp.ts";
import { checkTls } from "../../src/doctor/check-tls.ts";
import type { ConnectionAttempt } from "../../src/ports/network-probe.ts";
import { CERTIFICATE, cameTo, IN_DOCKER, observed, ON_A_LAPTOP, stoppedAt } from "../support/observed.ts";

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
  ["host.docker.internal", IN_DOCKER, 'extra_hosts: ["host.docker.internal:host-gateway"]'],
  ["host.docker.internal", ON_A_LAPTOP, "register localhost"],
  ["shop", ON_A_LAPTOP, "names of Compose services resolve only inside their network"],
  ["shop", IN_DOCKER, "on the same network"],
  ["laptop.local", IN_DOCKER, "mDNS"],
  ["hooks.example.co.ke", ON_A_LAPTOP, "check the spelling"],
  ["hooks.example.co.ke", { ...ON_A_LAPTOP, proxies: ["HTTPS_PROXY"] }, "do not use the proxy of HTTPS_PROXY"],
])("says what to do where %s has no address", (host, hostEnvironment, repair) => {
  const judgement = checkName(observed({ url: `http://${host}:3000/`, name: UNRESOLVED, hostEnvironment }));

  expect(judgement).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
});

test("is content with a connection to the first address", () => {
  expect(checkTcp(observed())).toEqual({ verdict: "ok", seen: "127.0.0.1 port 3000 accepts connections" });
});

test("doubts a name whose first address is not the one that is listened at", () => {
  const judgement = checkTcp(
    observed({ ...stoppedAt({ "::1": REFUSED, "127.0.0.1": OPEN }), url: "http://localhost:3000/hooks?token=s3cret" }),
  );

  expect(judgement).toEqual({
    verdict: "warning",
    seen: "localhost is ::1 first, where nothing listens (connection refused); 127.0.0.1 port 3000 accepts connections, and callbacks find it",
    repair:
      "let the receiver listen on both, or register http://127.0.0.1:3000/hooks: a client that tries one address finds nothing",
  });
});

test("finds the receiver on the machine around the container", () => {
  const judgement = checkTcp(
    observed({
      ...stoppedAt({ "127.0.0.1": REFUSED }),
      url: "http://localhost:3000/hooks",
      hostEnvironment: IN_DOCKER,
      elsewhere: [{ host: "host.docker.internal", seen: OPEN }],
    }),
  );

  expect(judgement).toMatchObject({
    verdict: "failed",
    repair:
      "localhost is this container itself; something listens at port 3000 of the machine around it: register http://host.docker.internal:3000/hooks",
  });
});

test("names the line that Linux needs where a container does not know its host", () => {
  const judgement = checkTcp(
    observed({
      ...stoppedAt({ "127.0.0.1": REFUSED }),
      hostEnvironment: IN_DOCKER,
      elsewhere: [{ host: "host.docker.internal", seen: { kind: "unresolved" } }],
    }),
  );

  expect(judgement).toMatchObject({
    repair: expect.stringMatching(
      /^127\.0\.0\.1 is this Docker container itself; .*"host\.docker\.internal:host-gateway".*Compose service/,
    ),
  });
});

test("tells a receiver on the loopback alone from one that is not there", () => {
  const refusal = stoppedAt({ "192.168.1.20": REFUSED });
  const url = "http://192.168.1.20:3000/";

  const bound = checkTcp(observed({ ...refusal, url, elsewhere: [{ host: "127.0.0.1", seen: OPEN }] }));
  const absent = checkTcp(observed({ ...refusal, url, elsewhere: [{ host: "127.0.0.1", seen: REFUSED }] }));

  expect(bound).toMatchObject({
    repair: expect.stringContaining("something listens at 127.0.0.1 of this machine only"),
  });
  expect(absent).toMatchObject({ repair: expect.stringContaining("start the receiver, check the port") });
});

test.each([
  [
    "nothing on this machine",
    "http://127.0.0.1:3000/",
    ON_A_LAPTOP,
    { "127.0.0.1": REFUSED },
    "check which port it printed",
  ],
  [
    "the machine around it",
    "http://host.docker.internal:3000/",
    IN_DOCKER,
    { "172.17.0.1": REFUSED },
    "on Linux 127.0.0.1 alone",
  ],
  [
    "a service's published port",
    "http://shop:3000/",
    IN_DOCKER,
    { "172.18.0.3": REFUSED },
    "the right one of `ports:`",
  ],
  ["a firewall", "http://hooks.example.co.ke/", ON_A_LAPTOP, { "203.0.113.9": SILENT }, "a firewall or security group"],
  [
    "a way out by proxy alone",
    "http://hooks.example.co.ke/",
    { ...ON_A_LAPTOP, proxies: ["HTTP_PROXY"] },
    { "203.0.113.9": SILENT },
    "HTTP_PROXY",
  ],
  [
    "IPv6 that leads nowhere",
    "http://hooks.example.co.ke/",
    ON_A_LAPTOP,
    { "2001:db8::1": { kind: "unreachable", code: "ENETUNREACH" } as const },
    "only IPv6",
  ],
])("recognises %s", (_what, url, hostEnvironment, connections, repair) => {
  const judgement = checkTcp(observed({ ...stoppedAt(connections), url, hostEnvironment }));

  expect(judgement).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
});

test("hands on why an address may not be called", () => {
  const judgement = checkTcp(
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

test("says that a port speaks TLS where the URL says http", () => {
  const tls = { kind: "distrusted", code: "DEPTH_ZERO_SELF_SIGNED_CERT", certificate: CERTIFICATE } as const;

  const judgement = checkTls(observed({ ...cameTo({ kind: "reset" }), tls }));

  expect(judgement).toEqual({
    verdict: "failed",
    seen: "the URL says http://, and the port speaks TLS",
    repair: "register it with https://",
  });
});

test("asks nothing of TLS where the URL says http", () => {
  expect(checkTls(observed())).toEqual({ verdict: "skipped", seen: "http:// does not use TLS" });
});
