import { expect, test } from "vitest";
import { expectOwnAddress, SharedAddress } from "../../../src/storage/replicas/own-address.ts";

const SELF = { id: "a", url: "http://here.test" };
const LEASE = 2_000;

test.each([
  ["it answers itself", "a"],
  ["nobody answers yet", undefined],
])("a replica starts if at its address %s", async (_what, answer) => {
  await expect(expectOwnAddress(SELF, async () => answer)).resolves.toBeUndefined();
});

test("a replica does not start if another answers at its address", async () => {
  await expect(expectOwnAddress(SELF, async () => "b")).rejects.toThrow(
    "another replica (b) answers at http://here.test, where the others are to reach this one; give each replica a --replica-url of its own",
  );
});

test("a live replica with the same address is reported once, and one that was killed before its lease ended is not", () => {
  const shared = new SharedAddress();
  const [killed, alive, other] = [
    { ...SELF, id: "killed" },
    { ...SELF, id: "alive" },
    { id: "other", url: "http://there.test" },
  ];

  const told = [
    shared.look([SELF, killed, alive, other], SELF, 0, LEASE),
    shared.look([SELF, alive, other], SELF, LEASE, LEASE),
    shared.look([SELF, alive, other], SELF, LEASE + 1, LEASE),
    shared.look([SELF, alive, other], SELF, LEASE * 2, LEASE),
  ];

  expect(told).toEqual([[], [], [expect.stringContaining("another replica (alive) has the address")], []]);
});
