import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { available, showKes } from "../../gateway/domain/kes.ts";
import { moneyOf, plainAmount } from "../base/format.ts";
import { Form, TextField } from "../parts/form.tsx";
import { CopyButton } from "../parts/parts.tsx";
import { Popover } from "../parts/popover.tsx";
import { account, currentWallet, shownClient } from "../live/store.ts";

/** The available balance. Pressing it offers to top it up and to set it. */
export function Balance(): JSX.Element | null {
  const state = account.value?.reading.state;
  const { value } = currentWallet;
  if (state === undefined || value === undefined) return null;
  const code = state.settings.organization.top_up_code;
  return (
    <Popover
      id="balance"
      label="Balance"
      title="Available balance"
      shows={
        <span>
          <span class="unit">KES</span> <strong class="number">{showKes(available(value))}</strong>
        </span>
      }
    >
      <AmountForm
        label="Top up, KES"
        hint="Works like the mobile-money paybill, but instantly and free."
        submit="Top up"
        onAmount={(amount) => shownClient().post("wallet/top-ups", { amount })}
        done={(amount) => `KES ${moneyOf(Number(amount))} received by paybill.`}
      />
      <AmountForm
        label="Set what is available, KES"
        hint="Holds are unchanged; the ledger records an adjustment. Set 0 to test an empty wallet."
        submit="Set"
        onAmount={(balance) => shownClient().put("wallet", { balance })}
        done={(balance) => `KES ${moneyOf(Number(balance))} is available.`}
      />
      <p class="row">
        <span class="quiet">Account number for the paybill</span> <code>{code}</code>
        <CopyButton text={code} label="paybill reference" />
      </p>
    </Popover>
  );
}

interface AmountFormProps {
  readonly label: string;
  readonly hint: string;
  readonly submit: string;
  readonly onAmount: (amount: string) => Promise<unknown>;
  /** The notice after success. */
  readonly done: (amount: string) => string;
}

function AmountForm({ label, hint, submit, onAmount, done }: AmountFormProps): JSX.Element {
  const amount = useSignal("");
  const plain = (): string => plainAmount(amount.value);
  const send = async (): Promise<void> => {
    await onAmount(plain());
  };
  return (
    <Form label={submit} submit={submit} onSubmit={send} done={() => done(plain())} isLine>
      {(problem) => (
        <TextField
          label={label}
          hint={hint}
          problem={problem}
          inputMode="decimal"
          placeholder="500.00"
          required
          value={amount.value}
          onWrite={(text) => void (amount.value = text)}
        />
      )}
    </Form>
  );
}
