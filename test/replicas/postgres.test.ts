import { expect, test } from "vitest";
import { startPostgres } from "./postgres.ts";

test("what was committed outlives a crash, and a fail-over to the synchronous standby", async () => {
  await using primary = await startPostgres();
  await primary.query("CREATE TABLE kept (number int)");
  await primary.query("INSERT INTO kept VALUES (1)");
  await primary.stop("immediate");
  await primary.start();
  await using standby = await primary.addStandby();
  await primary.query("INSERT INTO kept VALUES (2)");

  await primary.stop("immediate");
  await standby.promote();

  expect(await standby.query("SELECT number FROM kept ORDER BY number")).toBe("1\n2");
  expect(await standby.query("SHOW fsync")).toBe("on");
});
