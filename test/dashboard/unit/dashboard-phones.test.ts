import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import {
  keyOf,
  PhoneBook,
  searchPhones,
  Thread,
  nothingRead,
  parseMarks,
  runOf,
  unreadOf,
  withAllRead,
  withRead,
} from "../../../src/dashboard/panels/phones/phone-book.ts";
import type { Order } from "../../../src/gateway/domain/order.ts";
import { accepted, opened, refused, settled } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const ASHA = "254712345678";
const BARAKA = "254733000111";

test("each number is one phone, the one where something happened last in front", () => {
  const { phones } = phonesAfter(sentTo(ASHA, "a", 1), sentTo(BARAKA, "b", 2), settled("a", 3));

  expect(phones.newestFirst().map(({ number }) => number)).toEqual([ASHA, BARAKA]);
});

test("a phone knows the carrier that served it last, and that it was ported", () => {
  const { phones } = phonesAfter(sentTo(ASHA, "a", 1), { ...sentTo(ASHA, "b", 2), carrier: "airtel", ported: true });

  expect(phones.find(ASHA)).toMatchObject({ carrier: "airtel", ported: true });
});

test("what settles moves from what is on its way to what has come, in the order of settlement", () => {
  const { phones } = phonesAfter(
    sentTo(ASHA, "a", 1),
    sentTo(ASHA, "b", 2),
    sentTo(ASHA, "c", 3),
    settled("c", 4),
    settled("a", 5),
  );

  expect(phones.find(ASHA)?.settled.map(requestIdOf)).toEqual(["c", "a"]);
  expect([...(phones.find(ASHA)?.pending ?? [])].map(requestIdOf)).toEqual(["b"]);
});

test("what was refused is on no phone", () => {
  const { phones } = phonesAfter(refused("a", 1, { code: 402, order: airtime(50, ASHA) }));

  expect(phones.newestFirst()).toEqual([]);
});

test("tells what has arrived since it was read last, without what failed", () => {
  const { account, phones } = phonesAfter(sentTo(ASHA, "a", 1), sentTo(ASHA, "b", 1));
  follow(account, settled("a", 2, { outcome: "failed" }), settled("b", 3), sentTo(BARAKA, "c", 3), settled("c", 4));

  const arrived = phones.refresh(account.rows);

  expect(arrived.map(requestIdOf)).toEqual(["b", "c"]);
  expect(phones.refresh(account.rows)).toEqual([]);
});

test("what is there at first has not arrived just now", () => {
  const account = new AccountReading();
  follow(account, opened(), sentTo(ASHA, "a", 1), settled("a", 2));

  expect(new PhoneBook().refresh(account.rows)).toEqual([]);
});

test("begins anew after a reset, and after old rows were let go", () => {
  const { account, phones } = phonesAfter(sentTo(ASHA, "a", 1), sentTo(BARAKA, "b", 2));
  account.rows.shift();
  phones.refresh(account.rows);
  const trimmed = phones.newestFirst().map(({ number }) => number);
  follow(account, opened(), sentTo(ASHA, "d", 3));

  phones.refresh(account.rows);

  expect(trimmed).toEqual([BARAKA]);
  expect(phones.newestFirst().map(({ number }) => number)).toEqual([ASHA]);
});

test("a thread has a line for each day in Nairobi, and what is on its way at its end", () => {
  const lateEvening = 14.9 * 3_600;
  const { phones } = phonesAfter(
    sentTo(ASHA, "never", 0),
    sentTo(ASHA, "a", 1),
    settled("a", 2),
    sentTo(ASHA, "b", lateEvening),
    settled("b", lateEvening + 1),
    sentTo(ASHA, "c", lateEvening),
    settled("c", lateEvening + 600),
  );
  const phone = phones.find(ASHA);

  const keys = phone && new Thread().read(phone, false).map(keyOf);

  expect(keys).toEqual(["day Mon 6 Jan 2025", "a", "b", "day Tue 7 Jan 2025", "c", "on the way", "never"]);
});

test("a thread keeps what it has read and adds what has settled since", () => {
  const { account, phones } = phonesAfter(sentTo(ASHA, "a", 1), settled("a", 2), sentTo(ASHA, "b", 3));
  const phone = phones.find(ASHA);
  const thread = new Thread();
  const before = phone && thread.read(phone, false);

  follow(account, settled("b", 4));
  phones.refresh(account.rows);
  const after = phone && thread.read(phone, false);

  expect(after?.map(keyOf)).toEqual(["day Mon 6 Jan 2025", "a", "b"]);
  expect(after?.slice(0, 2).map((entry, index) => entry === before?.[index])).toEqual([true, true]);
});

test("a thread that the journal has cut says so at its beginning", () => {
  const { phones } = phonesAfter(sentTo(ASHA, "a", 1));
  const phone = phones.find(ASHA);

  expect(phone && new Thread().read(phone, true)[0]).toEqual({ kind: "beginning" });
});

test.each([
  ["0712 345", [ASHA]],
  ["+254 733", [BARAKA]],
  ["habari", [BARAKA]],
  ["MFANO", [BARAKA]],
  ["airtime", [ASHA]],
  ["000111", [BARAKA]],
  ["", [BARAKA, ASHA]],
  ["nobody", []],
])("a search for %j finds %j", (wanted, numbers) => {
  const { phones } = phonesAfter(
    sentTo(ASHA, "a", 1),
    sentTo(BARAKA, "b", 2, sms("Habari yako, code 9876", BARAKA, "Mfano")),
  );

  const found = searchPhones(phones.newestFirst(), wanted);

  expect(found.map(({ phone }) => phone.number)).toEqual(numbers);
});

test("a search shows the message that has the text, the newest of several", () => {
  const { phones } = phonesAfter(
    sentTo(ASHA, "a", 1, sms("code 1111")),
    sentTo(ASHA, "b", 2, sms("code 2222")),
    sentTo(ASHA, "c", 3, sms("hello")),
  );

  const [found] = searchPhones(phones.newestFirst(), "CODE");

  expect(found && requestIdOf(found.shown)).toBe("b");
});

test("unread is what has arrived since the phone was opened last", () => {
  const { account, phones } = phonesAfter(sentTo(ASHA, "a", 1), settled("a", 2));
  const marks = withRead(nothingRead("run"), ASHA, 1);
  follow(account, sentTo(ASHA, "b", 3), settled("b", 4), sentTo(ASHA, "c", 5), settled("c", 6, { outcome: "failed" }));
  phones.refresh(account.rows);
  const phone = phones.find(ASHA);

  expect(phone && unreadOf(phone, nothingRead("run"))).toBe(2);
  expect(phone && unreadOf(phone, marks)).toBe(1);
  expect(phone && unreadOf(phone, withAllRead(marks, 3))).toBe(0);
});

test("marks come back from what was kept", () => {
  const state = { openedAt: 5, seed: 7, settlements: 3 };
  const marks = withRead(withAllRead(nothingRead(runOf(state)), 1), ASHA, 3);

  expect(parseMarks(JSON.stringify(marks), state)).toEqual(marks);
});

test.each([
  ["nothing", null],
  ["no JSON", "{"],
  ["something else", '{"run":"5.7","all":"1","each":{}}'],
  ["another run", '{"run":"5.8","all":1,"each":{}}'],
  ["more settlements than there were", '{"run":"5.7","all":0,"each":{"254712345678":4}}'],
])("%s that was kept means that nothing was read", (_, kept) => {
  expect(parseMarks(kept, { openedAt: 5, seed: 7, settlements: 3 })).toEqual(nothingRead("5.7"));
});

function phonesAfter(...events: readonly AccountEvent[]): { account: AccountReading; phones: PhoneBook } {
  const account = new AccountReading();
  const phones = new PhoneBook();
  follow(account, opened(), ...events);
  phones.refresh(account.rows);
  return { account, phones };
}

function follow(account: AccountReading, ...events: readonly AccountEvent[]): void {
  const { version } = account;
  events.forEach((event, index) => account.take({ number: version + index + 1, event }));
}

function sentTo(number: string, requestId: string, seconds: number, order: Order = airtime(50, number)) {
  return accepted(requestId, seconds, { order });
}

function requestIdOf({ accepted }: { accepted: { requestId: string } }): string {
  return accepted.requestId;
}
