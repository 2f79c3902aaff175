import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { ControlError } from "../../../testing/control-client.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { saveFile } from "../../save-file.ts";
import { accountKey, book } from "../../store.ts";
import { forgetAdvances } from "../time/advancing.ts";
import { Confirm } from "./confirm.tsx";
import { readJsonFile } from "./read-json-file.ts";

/** What can be done with the account's journal as a whole. */
export function JournalCard(): JSX.Element {
  const { state, version = 0 } = book.value?.book ?? {};
  return (
    <section class="card stack" aria-labelledby="account-journal">
      <h2 id="account-journal">Journal</h2>
      <p class="quiet">
        {version.toLocaleString("en")} events, {(state?.requests ?? 0).toLocaleString("en")} requests, seed <code>{state?.seed}</code>. The
        export is all of it as one file; imported, it puts this account where that one was.
      </p>
      <div class="row">
        <button type="button" class="button" onClick={() => void attempt(() => exportAccount(accountKey.value ?? ""))}>
          Export
        </button>
        <Import />
        <Reset />
      </div>
    </section>
  );
}

/** As it came, to the byte. */
async function exportAccount(consumerKey: string): Promise<void> {
  const answer = await accountClient(consumerKey).open("export");
  if (!answer.ok) throw new ControlError(answer.status, await answer.json());
  saveFile(`kredo-${consumerKey}.json`, await answer.blob());
}

function Import(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const file = useSignal<File | undefined>(undefined);
  const forget = (): void => {
    file.value = undefined;
    if (input.current !== null) input.current.value = "";
  };
  const replace = async (chosen: File): Promise<void> => {
    forget();
    const key = accountKey.value ?? "";
    const put = async (): Promise<unknown> => accountClient(key).put("import", await readJsonFile(chosen));
    if (await attempt(put, `${chosen.name} is the journal of ${key} now.`)) forgetAdvances(key);
  };
  const { value: chosen } = file;
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Import…
      </button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File to import"
        onChange={({ currentTarget }) => void (file.value = currentTarget.files?.[0])}
      />
      {chosen !== undefined && (
        <Confirm title={`Import ${chosen.name}?`} goAhead="Replace the journal" onGoAhead={() => void replace(chosen)} onCancel={forget}>
          <p>It takes the place of this account's wallet, transactions and settings. The consumer key stays.</p>
        </Confirm>
      )}
    </>
  );
}

function Reset(): JSX.Element {
  const isAsking = useSignal(false);
  const key = accountKey.value ?? "";
  const close = (): void => void (isAsking.value = false);
  const reset = async (): Promise<void> => {
    close();
    if (await attempt(() => accountClient(key).post("reset", {}), `${key} is as it was at its beginning.`)) forgetAdvances(key);
  };
  return (
    <>
      <button type="button" class="button account-danger" onClick={() => void (isAsking.value = true)}>
        Reset…
      </button>
      {isAsking.value && (
        <Confirm title={`Reset ${key}?`} goAhead="Reset it" onGoAhead={() => void reset()} onCancel={close}>
          <p>Wallet, journal, counters and clock go back to the beginning, and what is pending is cancelled. Changed settings stay.</p>
        </Confirm>
      )}
    </>
  );
}
