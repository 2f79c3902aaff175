import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFailed, test } from "vitest";
import { isHere } from "./check-syntax.ts";
import { inLanes } from "./in-lanes.ts";
import { openPageEnvironment } from "./page-environment.ts";
import { type Edit, type Recipe, TEST_RECIPES } from "./recipes.ts";
import { SHOP_RECIPES } from "./shop-recipes.ts";

interface Outcome {
  readonly code: number | null;
  readonly verdict: readonly string[];
  readonly printed: string;
}

/** What a recipe comes to as it is, and with its defect; neither if something is missing to run it. */
interface Tried {
  readonly name: string;
  readonly sound?: Outcome;
  readonly broken?: Outcome;
}

const tried = await inLanes(2, [...TEST_RECIPES, ...SHOP_RECIPES], tryRecipe);

test.each(tried.filter(({ sound }) => sound !== undefined))(
  "$name ends with 0 under kredo exec, and with 1 because of a planted defect",
  ({ sound, broken }) => {
    onTestFailed(() => void process.stderr.write(`${sound?.printed}\n${broken?.printed}`));

    expect(sound).toMatchObject({ code: 0, verdict: ["No defect"] });
    expect(broken).toMatchObject({ code: 1, verdict: ["1 defect", "exit code 1, because of a defect"] });
  },
);

/** In CI everything has to be there. */
async function tryRecipe(recipe: Recipe): Promise<Tried> {
  const { name, needs = [], edits = [], plant } = recipe;
  const found = await Promise.all(needs.map(isHere));
  if (process.env["CI"] !== "true" && found.includes(false)) return { name };
  return { name, sound: await runRecipe(recipe, edits), broken: await runRecipe(recipe, [...edits, ...plant]) };
}

async function runRecipe(recipe: Recipe, edits: readonly Edit[]): Promise<Outcome> {
  const { folder: path, packages = "", prepare = ":", variables = "", exec } = recipe;
  const how = new Map([
    ["recipe", path],
    ["packages", packages],
    ["sandbox", "none"],
  ]);
  await using environment = await openPageEnvironment({ path, how, blocks: [] });
  const { folder, here } = environment;
  for (const [file, change] of edits) {
    const place = join(folder, file);
    writeFileSync(place, here(change(existsSync(place) ? readFileSync(place, "utf8") : "")));
  }
  const { code, printed } = await environment.run(
    here(`${prepare}\n${variables} npx kredo exec --fail-on defect ${exec}`),
  );
  const verdict = [...printed.matchAll(/kredo: (No defect|\d+ defects?|No verdict|exit code [^.]*)/g)];
  return { code, verdict: verdict.map(([, said = ""]) => said), printed };
}
