import { test as plainTest } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { PANELS } from "./panels.ts";
import { startReceiver } from "./receiver.ts";
import { openStage } from "./stage.ts";
import { expect, type Visitor, welcomeVisitor } from "./visitor.ts";

/** A sandbox whose journal is full of what can be in one. These tests only look at it. */
const test = plainTest.extend<{ busy: Sandbox }>({
  busy: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using receiver = await startReceiver();
      await using sandbox = await createSandbox(AFTERNOON);
      await playAfternoon(sandbox, receiver);
      await use(sandbox);
    },
    { scope: "file" },
  ],
});

test.for(PANELS)("axe finds nothing in the way on %s, by day and by night", async ([panel, title], { busy }) => {
  await using visitor = await welcomeVisitor(busy.url, { reducedMotion: "reduce" });
  await open(visitor, panel, title);

  const byDay = await findObstacles(visitor.page);
  await visitor.page.emulateMedia({ colorScheme: "dark" });
  const byNight = await findObstacles(visitor.page);

  expect({ byDay, byNight }).toEqual({ byDay: [], byNight: [] });
});

test.for(PANELS)("%s fits a screen of 360 pixels", async ([panel, title], { busy }) => {
  await using visitor = await welcomeVisitor(busy.url, { viewport: { width: 360, height: 740 } });

  await open(visitor, panel, title);

  expect(await findOverflow(visitor.page)).toEqual([]);
});

test.for(PANELS)("%s of a new account: axe finds nothing in the way, and it fits 360 pixels", async ([panel, title]) => {
  await using stage = await openStage({}, { viewport: { width: 360, height: 740 } });

  await open(stage, panel, title);

  expect(await findObstacles(stage.page)).toEqual([]);
  expect(await findOverflow(stage.page)).toEqual([]);
});

test("what is in the way and what is too wide would be found", async () => {
  await using stage = await openStage({}, { viewport: { width: 360, height: 740 } });
  await open(stage, "phones", "Phones");

  await stage.page.evaluate(() => {
    const wide = document.createElement("img");
    wide.width = 400;
    document.querySelector("main")?.append(wide);
  });

  expect(await findObstacles(stage.page)).toContainEqual(expect.stringMatching(/^image-alt: /));
  expect(await findOverflow(stage.page)).not.toEqual([]);
});

async function open({ visit, page }: Pick<Visitor, "visit" | "page">, panel: string, title: string): Promise<void> {
  await visit(panel);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}
