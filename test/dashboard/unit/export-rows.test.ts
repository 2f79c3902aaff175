import { expect, test } from "vitest";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { rowsAsCsv } from "../../../src/dashboard/views/requests/list/export-rows.ts";
import { accepted, appliedRules, attempted, opened, reversed, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

test("exported rows say what was answered, known, delivered and charged", () => {
  const account = new AccountReading();
  const dropped = { ...accepted("", 0).plan, callback: { ...CALLBACK, dropped: "a rule drops it" } };
  [
    opened(),
    accepted("never-told", 1, { plan: dropped }),
    settled("never-told", 2, { callback: { none: "a rule drops it" } }),
    accepted("other-id", 3),
    settled("other-id", 4),
    attempted("other-id", 4, { scripted: { unknown_id: true } }),
    accepted("no-answer", 5, { rules: appliedRules({ breakage: "reset" }) }),
    settled("no-answer", 6, { callback: { none: "no callback URL registered for airtime" } }),
    accepted("waiting", 7, { order: airtime(50, "254700000001") }),
    accepted("reversed", 8, { order: airtime(50, "254700000002") }),
    settled("reversed", 9),
    attempted("reversed", 9),
    reversed("reversed", 10),
    attempted("reversed", 10, { delivery: 2, scripted: { reverse: true } }),
  ].forEach((event, index) => account.take({ number: index + 1, event }));

  const [head = "", ...lines] = rowsAsCsv(account.rows).trimEnd().split("\r\n");

  const names = head.split(",");
  const cells = lines.map((line) =>
    line.replaceAll(/"([^"]*)"/g, (_, cell: string) => cell.replace(",", ";")).split(","),
  );
  const columns = ["request_id", "answered", "known", "got", "paid", "held"].map((name) => names.indexOf(name));
  expect(cells.map((row) => columns.map((column) => row[column]))).toEqual([
    ["never-told", "200", "accepted", "KES 50.00", "50", "0"],
    ["other-id", "200", "unknown id", "KES 50.00", "50", "0"],
    ["no-answer", "no answer", "nothing", "KES 50.00", "50", "0"],
    ["waiting", "200", "accepted", "nothing yet", "0", "50"],
    ["reversed", "200", "delivered; then reversed", "KES 50.00; then reversed", "0", "0"],
  ]);
});

const CALLBACK = { deliveries: [], before_ack: false, reorder: 0 };
