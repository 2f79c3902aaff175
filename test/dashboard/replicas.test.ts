import { test } from "vitest";
import { startSharedReplicas } from "../support/replicas.ts";
import { openDashboard } from "./dashboard-session.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { expect, welcomeVisitor } from "./visitor.ts";

test("the page of any replica says which one owns what, and follows when one is gone", async () => {
  const accounts = ["a", "b"].map((key) => ({ consumer_key: key, consumer_secret: "secret" }));
  await using group = await startSharedReplicas(2, { accounts });
  const { first, second } = group;
  const [owned] = second.running.world.list();
  const url = `http://127.0.0.1:${first.port}`;
  await using visitor = await welcomeVisitor(url);
  const { page } = visitor;
  const replicas = page.getByRole("region", { name: "Replicas" }).getByRole("listitem");

  await visitor.visit(`account?account=${owned?.consumerKey}`);

  await expect(replicas).toHaveText([
    `${url} 1 account · answers this page`,
    `http://127.0.0.1:${second.port} 1 account · owns this account`,
  ]);
  expect(await findObstacles(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findOverflow(page)).toEqual([]);
  await second.running.leave();
  await group.pass(4_000);
  await expect(replicas).toHaveText([`${url} 2 accounts · answers this page · owns this account`]);
});

test("a sandbox of one process has no replicas to show", async () => {
  await using session = await openDashboard();
  const { page } = session;

  await session.visit("account");

  await expect(page.getByRole("region", { name: "Accounts" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Replicas" })).toHaveCount(0);
});
