import { describe, expect, test } from "vitest";
import {
  judgeEgress,
  judgeName,
  parseHostList,
  reasonNeverSent,
} from "../../../src/gateway/adapters/delivery/egress.ts";

const NOTHING_LISTED = parseHostList([]);

describe("an untrusted URL", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.8.9.10", "loopback"],
    ["::1", "loopback"],
    ["0.0.0.0", "unspecified"],
    ["::", "unspecified"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.20", "private"],
    ["100.64.0.1", "shared by carriers"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["fd12:3456::1", "unique local"],
    ["::ffff:10.1.2.3", "private, mapped into IPv6"],
  ])("may go to %s (%s)", (address) => {
    const verdict = judgeEgress({ host: "hooks.test", address, trusted: false }, NOTHING_LISTED);

    expect(verdict).toEqual({ allowed: true });
  });

  test.each([
    ["203.0.113.9", "public"],
    ["172.32.0.1", "just past the private range"],
    ["100.128.0.1", "just past the shared range"],
    ["2001:db8::1", "public"],
    ["::ffff:203.0.113.9", "public, mapped into IPv6"],
  ])("may not go to %s (%s)", (address) => {
    const verdict = judgeEgress({ host: "hooks.test", address, trusted: false }, NOTHING_LISTED);

    expect(verdict).toEqual({
      allowed: false,
      reason: `hooks.test (${address}) is a public address; list hooks.test under callback_allow, or register the URL in the config file`,
    });
  });
});

test.each([
  ["hooks.test", "203.0.113.9", false, ["hooks.test"]],
  ["203.0.113.9", "203.0.113.9", true, []],
  ["2001:db8::1", "2001:db8::1", true, []],
])("a URL of %s may go to %s if it is trusted (%s) or listed (%j)", (host, address, trusted, listed) => {
  expect(judgeEgress({ host, address, trusted }, parseHostList(listed))).toEqual({ allowed: true });
});

test.each([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "169.254.0.23",
  "169.254.42.42",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:42::42",
  "fd00:a9fe:a9fe::1",
  "fd00:A9FE:a9fe:0::1",
  "fd00:c1::a9fe:a9fe",
  "fd00:100::100:200",
  "fe80::a9fe:a9fe",
  "fe80::a9fe:a9fe%eth0",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::a9fe:2a2a",
  "64:ff9b::6464:64c8",
])("nothing may go to the metadata address %s, trusted and listed or not", (address) => {
  const verdict = judgeEgress({ host: "hooks.test", address, trusted: true }, parseHostList(["hooks.test", address]));

  expect(verdict).toEqual({ allowed: false, reason: expect.stringContaining("metadata service") });
});

test.each(["fd00:a9fe:a9fe::2", "fd00:c1::1", "fd00:42::41", "fe80::1", "fe80::1%eth0"])(
  "a receiver may be at %s, beside a metadata address",
  (address) => {
    const verdict = judgeEgress({ host: address, address, trusted: false }, NOTHING_LISTED);

    expect(verdict).toEqual({ allowed: true });
  },
);

test.each(["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1", "::ffff:224.0.0.1"])(
  "nothing may go to the broadcast or multicast address %s",
  (address) => {
    const verdict = judgeEgress({ host: address, address, trusted: true }, NOTHING_LISTED);

    expect(verdict).toEqual({ allowed: false, reason: expect.stringContaining("multicast or broadcast") });
  },
);

test.each(["metadata.google.internal", "METADATA.google.internal", "metadata.google.internal."])(
  "the name %s is refused before it is looked up",
  (host) => {
    const verdict = judgeName(host);

    expect(verdict).toEqual({ allowed: false, reason: expect.stringContaining("metadata service") });
  },
);

describe("a list of hosts", () => {
  const listed = parseHostList([
    "staging.example.co.ke",
    "*.Example.com",
    "münchen.example",
    "[2001:DB8::1]",
    "203.0.113.9",
  ]);

  test.each([
    "staging.example.co.ke",
    "Staging.Example.co.ke.",
    "a.example.com",
    "a.b.example.com",
    "xn--mnchen-3ya.example",
    "2001:db8::1",
    "203.0.113.9",
  ])("holds %s", (host) => {
    const held = listed(host);

    expect(held).toBe(true);
  });

  test.each(["example.com", ".example.com", "notexample.com", "a.staging.example.co.ke", "example.com.evil.test", ""])(
    "does not hold %j",
    (host) => {
      const held = listed(host);

      expect(held).toBe(false);
    },
  );
});

test.each([
  ["http://localhost:3000/hooks", false, undefined],
  ["http://shop:3000/", false, undefined],
  ["http://shop.local/", false, undefined],
  ["http://192.168.1.9/", false, undefined],
  ["http://[::1]/", false, undefined],
  ["kredo:sink", false, undefined],
  ["https://x.ngrok.app/hooks", true, undefined],
  ["https://hooks.listed.example/", false, undefined],
  [
    "https://x.ngrok.app/hooks",
    false,
    "x.ngrok.app is a public host; list it under callback_allow, or register the URL in the config file",
  ],
  [
    "http://8.8.8.8/",
    false,
    "8.8.8.8 is a public address; list 8.8.8.8 under callback_allow, or register the URL in the config file",
  ],
  [
    "http://169.254.169.254/",
    true,
    "169.254.169.254 is an address of clouds' metadata services, which are never called; register the receiver's own address",
  ],
])("callbacks to %s, trusted %j, are never sent because %j", (url, trusted, reason) => {
  expect(reasonNeverSent({ url, trusted }, parseHostList(["*.listed.example"]))).toBe(reason);
});
