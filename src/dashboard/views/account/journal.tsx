import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { accountClient, download } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/dialogs.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { runAction } from "../../parts/notices.tsx";
import { accountKey, account } from "../../live/store.ts";
import { readJsonFile } from "./read-input.ts";
import { counted } from "../../../gateway/domain/counted.ts";

export function Journal(): JSX.Element {
  const { state, version = 0 } = account.value?.reading ?? {};
  const key = accountKey.value ?? "";
  return (
    <section class="card stack" aria-labelledby="account-journal">
      <h2 id="account-journal">Journal</h2>
      <p class="quiet">
        {counted(version, "event")}, {counted(state?.requests ?? 0, "request")}, seed <code>{state?.seed}</code>. The
        export is all of it as one file; imported, it puts this account where that one was.
      </p>
      <div class="row">
        <ActionButton onAct={() => download("export", `kredo-${key}.json`, key)}>Export</ActionButton>
        <Import />
        <Reset />
      </div>
    </section>
  );
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
    await runAction(put, `${chosen.name} is the journal of ${key} now.`);
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
        <Confirm
          deletes
          title={`Import ${chosen.name}?`}
          goAhead="Replace the journal"
          onGoAhead={() => void replace(chosen)}
          onCancel={forget}
        >
          <p>It replaces this account's wallet, transactions and settings. The consumer key stays the same.</p>
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
    await runAction(() => accountClient(key).post("reset", {}), `${key} has been reset.`);
  };
  return (
    <>
      <button type="button" class="button bad" onClick={() => void (isAsking.value = true)}>
        Reset…
      </button>
      {isAsking.value && (
        <Confirm deletes title={`Reset ${key}?`} goAhead="Reset" onGoAhead={() => void reset()} onCancel={close}>
          <p>
            The wallet, journal, counters and clock start over, and pending work is cancelled. Settings that you changed
            stay.
          </p>
        </Confirm>
      )}
    </>
  );
}
