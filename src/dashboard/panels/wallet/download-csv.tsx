import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ControlError } from "../../../testing/control-client.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { saveFile } from "../../save-file.ts";
import { accountKey } from "../../store.ts";

/** All of the ledger as a file. A plain link could not bring the admin token along. */
export function DownloadCsv(): JSX.Element {
  const isUnderWay = useSignal(false);
  const download = async (): Promise<void> => {
    isUnderWay.value = true;
    await attempt(() => downloadLedger(accountKey.value ?? ""));
    isUnderWay.value = false;
  };
  return (
    <button type="button" class="button small" disabled={isUnderWay.value} onClick={() => void download()}>
      Download CSV
    </button>
  );
}

async function downloadLedger(consumerKey: string): Promise<void> {
  const answer = await accountClient(consumerKey).open("ledger", { headers: { accept: "text/csv" } });
  if (!answer.ok) throw new ControlError(answer.status, await answer.json());
  saveFile(`ledger-${consumerKey}.csv`, await answer.blob());
}
