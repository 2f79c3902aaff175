import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { accountClient } from "../api/sandbox.ts";
import { moneyOf } from "../format.ts";
import { attempt, attemptAt } from "../parts/notices.tsx";
import { CopyButton } from "../parts/parts.tsx";
import { accountKey, account } from "../store.ts";
import { plainAmount } from "../views/account/ledger-words.ts";
import { TextField } from "../parts/form.tsx";

export function TopUpForm(): JSX.Element {
  const topUpCode = account.value?.reading.state?.settings.organization.top_up_code ?? "";
  return (
    <section class="card wallet-form" aria-labelledby="wallet-top-up">
      <h2 id="wallet-top-up">Top up</h2>
      <p class="quiet">Works like the mobile-money paybill, but instantly and free. The account number to quote:</p>
      <p class="row">
        <code class="wallet-code">{topUpCode}</code>
        <CopyButton text={topUpCode} label="account number" />
      </p>
      <AmountForm label="Amount, KES" submit="Top up" onSubmit={topUp} done={toppedUp} />
      <div class="row" role="group" aria-label="Usual amounts">
        {USUAL.map((amount) => (
          <button
            key={amount}
            type="button"
            class="button small"
            onClick={() => void attempt(() => topUp(String(amount)), toppedUp(String(amount)))}
          >
            + {moneyOf(amount).replace(/\.00$/, "")}
          </button>
        ))}
      </div>
    </section>
  );
}

const USUAL = [100, 1_000, 10_000] as const;

/** Sets the balance that a test needs. */
export function SetForm(): JSX.Element {
  return (
    <section class="card wallet-form" aria-labelledby="wallet-set">
      <h2 id="wallet-set">Set the balance</h2>
      <p class="quiet">Holds stay. The difference is booked as an adjustment. Set 0 to test an empty wallet.</p>
      <AmountForm
        label="Available, KES"
        submit="Set"
        onSubmit={set}
        done={(balance) => `KES ${balance} is available.`}
      />
    </section>
  );
}

function topUp(amount: string): Promise<unknown> {
  return accountClient(accountKey.value ?? "").post("wallet/top-ups", { amount });
}

function toppedUp(amount: string): string {
  return `KES ${amount} received by paybill.`;
}

function set(balance: string): Promise<unknown> {
  return accountClient(accountKey.value ?? "").put("wallet", { balance });
}

interface AmountFormProps {
  readonly label: string;
  readonly submit: string;
  readonly onSubmit: (amount: string) => Promise<unknown>;
  /** The notice after success. */
  readonly done: (amount: string) => string;
}

function AmountForm({ label, submit, onSubmit, done }: AmountFormProps): JSX.Element {
  const amount = useSignal("");
  const problem = useSignal<string | undefined>(undefined);
  const isUnderWay = useSignal(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    isUnderWay.value = true;
    const written = plainAmount(amount.value);
    if (await attemptAt(problem, () => onSubmit(written), done(written))) amount.value = "";
    isUnderWay.value = false;
  };
  return (
    <form class="field-line" onSubmit={(event) => void send(event)}>
      <TextField
        label={label}
        problem={problem.value}
        inputMode="decimal"
        placeholder="500.00"
        required
        value={amount.value}
        onWrite={(text) => void (amount.value = text)}
      />
      <button type="submit" class="button primary" disabled={isUnderWay.value}>
        {submit}
      </button>
    </form>
  );
}
