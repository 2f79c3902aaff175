import { expect, test } from "vitest";
import { carriersOf } from "../../../src/gateway/account/state.ts";
import { addBusinessDays } from "../../../src/gateway/domain/local-time.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { DAY } from "../../../src/gateway/domain/time.ts";
import { decideRegistration, registerSenderId } from "../../../src/gateway/engine/commands.ts";
import { script } from "../../support/gateway/scripted.ts";
import { sendSms, testWorld, WALL_START } from "../../support/gateway/world.ts";

const FEE = 1_000_000;
const rich = { balance: cents(10 * FEE) };
const request = { senderId: "MFANO", carriers: ["safaricom", "airtel"] } as const;

test("is paid to the last cent, and refused 402 a cent short, with nothing submitted", async () => {
  const [enough, short] = [
    testWorld({ account: { balance: cents(2 * FEE) } }).account,
    testWorld({ account: { balance: cents(2 * FEE - 1) } }).account,
  ];

  registerSenderId(enough, request);
  expect(() => registerSenderId(short, request)).toThrow(expect.objectContaining({ code: 402 }));

  expect(enough.state.wallet.balance).toBe(0);
  expect(short.journal.version).toBe(1);
});

test("does not spend what is held", async () => {
  const { account } = testWorld({ account: { balance: cents(2 * FEE) } });
  sendSms(account, "Habari");

  expect(() => registerSenderId(account, request)).toThrow(expect.objectContaining({ code: 402 }));
});

test("is decided per carrier after two to three business days on the account's clock, and then it sends", async () => {
  const { account } = testWorld({ account: rich });
  const submitted = registerSenderId(account, request);
  const decisions = submitted.map(({ decidesAt }) => decidesAt);
  const [first = 0, last = 0] = decisions.toSorted((one, other) => one - other);

  await account.advance({ to: first - 1 }, 0);
  const before = carriersOf(account.state, "MFANO").length;
  await account.advance({ to: first }, 0);
  const then = carriersOf(account.state, "MFANO").length;
  await account.advance({ to: last }, 0);

  expect(first).toBeGreaterThanOrEqual(addBusinessDays(WALL_START, 2));
  expect(last).toBeLessThanOrEqual(addBusinessDays(WALL_START, 3));
  expect(first).not.toBe(last);
  expect({ before, then, mfano: carriersOf(account.state, "MFANO").toSorted() }).toEqual({
    before: 0,
    then: 1,
    mfano: ["airtel", "safaricom"],
  });
});

test("skips the weekend if it is submitted on a Thursday", async () => {
  const { account } = testWorld({ account: rich });
  await account.advance({ by: 3 * DAY }, 0);

  const [submitted] = registerSenderId(account, request);

  expect((submitted?.decidesAt ?? 0) - account.now()).toBeGreaterThanOrEqual(4 * DAY);
});

test("is charged once for a carrier that is named twice", async () => {
  const { account } = testWorld({ account: rich });

  const submitted = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel", "airtel"] });

  expect(submitted).toHaveLength(1);
  expect(account.state.wallet.balance).toBe(9 * FEE);
});

test("is refused 422 for a carrier that has it or is asked already, and costs nothing", async () => {
  const { account } = testWorld({ account: rich });
  registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

  expect(() => registerSenderId(account, request)).toThrow(expect.objectContaining({ code: 422 }));
  expect(() => registerSenderId(account, { senderId: "SANDBOX", carriers: ["airtel"] })).toThrow(
    expect.objectContaining({ code: 422 }),
  );

  expect(account.state.wallet.balance).toBe(9 * FEE);
});

test("says with whom it is submitted already, and what it costs", () => {
  const { account } = testWorld({ account: { balance: cents(2.5 * FEE) } });
  registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

  expect(() => registerSenderId(account, request)).toThrow(
    expect.objectContaining({
      details: { validationErrors: { carriers: ["MFANO is already registered or submitted with airtel."] } },
    }),
  );
  expect(() => registerSenderId(account, { ...request, senderId: "OTHER" })).toThrow(
    expect.objectContaining({
      details: {
        hint: "Registration costs KES 10,000.00 per carrier, KES 20,000.00 in all; the wallet has KES 15,000.00.",
      },
    }),
  );
});

test.each([
  ["the same sender ID with another carrier", "MFANO", "telkom"],
  ["another sender ID with the same carrier", "OTHER", "airtel"],
] as const)("while one registration is open, takes %s", (_what, senderId, carrier) => {
  const { account } = testWorld({ account: rich });
  registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

  const submitted = registerSenderId(account, { senderId, carriers: [carrier] });

  expect(submitted).toMatchObject([{ senderId, carrier }]);
});

test("is decided at any time between the fewest and the most business days that the settings say", () => {
  const business_days = { min: 2, max: 42 };
  const gateway = { sender_id_registration: { fee: cents(FEE), business_days, require_documents: false } };
  const { account } = testWorld({ account: rich, gateway });

  const submitted = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel", "safaricom", "telkom"] });
  const [first = 0, ...later] = submitted.map(({ decidesAt }) => decidesAt).toSorted((one, other) => one - other);

  expect(first).toBeGreaterThanOrEqual(addBusinessDays(WALL_START, 2));
  expect(later.at(-1)).toBeGreaterThan(addBusinessDays(WALL_START, 10));
  expect(later.at(-1)).toBeLessThanOrEqual(addBusinessDays(WALL_START, 42));
});

test("may be submitted again after a rejection, for another fee and with another id", async () => {
  const { account } = testWorld({ account: rich });
  const [first] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  decideRegistration(account, { id: first?.id ?? "", verdict: "rejected", reason: "The letter is not stamped." });

  const [second] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

  expect(second?.id).not.toBe(first?.id);
  expect(account.state.wallet.balance).toBe(8 * FEE);
  expect(carriersOf(account.state, "MFANO")).toEqual([]);
});

test("is decided once: 409 the second time, and 404 if it does not exist", async () => {
  const { account } = testWorld({ account: rich });
  const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  const id = submitted?.id ?? "";
  decideRegistration(account, { id, verdict: "approved" });

  expect(() => decideRegistration(account, { id, verdict: "rejected" })).toThrow(
    expect.objectContaining({ kind: "conflict" }),
  );
  expect(() => decideRegistration(account, { id: "none", verdict: "approved" })).toThrow(
    expect.objectContaining({ kind: "not-found" }),
  );

  expect(carriersOf(account.state, "MFANO")).toEqual(["airtel"]);
});

test("is decided under a scenario's seed when it would be on any account, whatever was registered before", async () => {
  const [fresh, used] = [testWorld({ account: rich }).account, testWorld({ account: rich }).account];
  registerSenderId(used, request);
  const [decision] = registerSenderId(used, { senderId: "OTHER", carriers: ["safaricom"] });
  decideRegistration(used, { id: decision?.id ?? "", verdict: "rejected" });
  await Promise.all([script(fresh, "seed: 7"), script(used, "seed: 7")]);

  const wanted = { senderId: "OTHER", carriers: ["safaricom"] } as const;
  const [[expected], [found]] = [registerSenderId(fresh, wanted), registerSenderId(used, wanted)];

  expect(found).toEqual(expected);
});
