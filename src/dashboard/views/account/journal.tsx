import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { accountClient, download } from "../../api/sandbox.ts";
import { ActionButton, AskingButton } from "../../parts/form.tsx";
import { accountKey, account } from "../../live/store.ts";
import { readJsonFile } from "./read-input.ts";
import { counted } from "../../../gateway/domain/counted.ts";

export function Journal(): JSX.Element {
  const { state, version = 0 } = account.value?.reading ?? {};
  const key = accountKey.value ?? "";
  const input = useRef<HTMLInputElement>(null);
  return (
    <section class="card stack close" aria-labelledby="account-journal">
      <h2 id="account-journal">Journal</h2>
      <p class="quiet">
        {counted(version, "event")}, {counted(state?.requests ?? 0, "request")}, seed <code>{state?.seed}</code>. The
        export is all of it as one file; imported, it puts this account where that one was.
      </p>
      <div class="row">
        <ActionButton class="button small" onAct={() => download("export", `kredo-${key}.json`, key)}>
          Export
        </ActionButton>
        <AskingButton
          label="Import…"
          title={`Import into ${key}?`}
          goAhead="Replace the journal"
          onGoAhead={() => replace(key, input.current?.files?.[0])}
        >
          <p>It replaces this account's wallet, transactions and settings. The consumer key stays the same.</p>
          <input ref={input} type="file" accept="application/json,.json" aria-label="File to import" />
        </AskingButton>
        <AskingButton
          deletes
          label="Reset…"
          title={`Reset ${key}?`}
          goAhead="Reset"
          onGoAhead={async () => {
            await accountClient(key).post("reset", {});
            return `${key} has been reset.`;
          }}
        >
          <p>
            The wallet, journal, counters and clock start over, and pending work is cancelled. Settings that you changed
            stay.
          </p>
        </AskingButton>
      </div>
    </section>
  );
}

async function replace(key: string, file: File | undefined): Promise<string> {
  if (file === undefined) throw new Error("No file was chosen.");
  await accountClient(key).put("import", await readJsonFile(file));
  return `${file.name} is the journal of ${key} now.`;
}
