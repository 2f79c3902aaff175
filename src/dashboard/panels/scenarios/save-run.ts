import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { goTo } from "../../route.ts";
import { saveFile } from "../../save-file.ts";
import { putDraft } from "./draft.ts";

/** What happened on the account so far, as a file that repeats it. */
export async function downloadRun(consumerKey: string): Promise<void> {
  await attempt(async () => {
    const text = await readRun(consumerKey);
    saveFile(`${consumerKey.replaceAll(/[^\w.-]+/g, "-")}.scenario.yaml`, new Blob([text], { type: "application/yaml" }));
  });
}

/** The same, to be looked at and changed. */
export async function writeOnRun(consumerKey: string): Promise<void> {
  await attempt(async () => {
    putDraft(await readRun(consumerKey));
    goTo({ panel: "scenarios", item: "write" });
  });
}

async function readRun(consumerKey: string): Promise<string> {
  return accountClient(consumerKey).getText("export?as=scenario");
}
