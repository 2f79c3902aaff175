import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { RateLimit } from "../../../settings/account.ts";
import { formatDuration } from "../../../domain/time.ts";
import { sandbox } from "../../api/sandbox.ts";
import { attemptAt } from "../../parts/notices.tsx";
import { Field } from "../../parts/parts.tsx";
import { accountKey, book } from "../../store.ts";

/** How many requests are taken in a period; the rest get 429. The form begins anew when the limit has become another one. */
export function RateLimitCard(): JSX.Element {
  const limit = book.value?.book.state?.settings.rate_limit;
  const saved = limit === undefined ? "none" : `${limit.requests} per ${formatDuration(limit.per)}`;
  return (
    <section class="card stack" aria-labelledby="account-rate-limit">
      <h2 id="account-rate-limit">Rate limit</h2>
      <p class="quiet">
        {limit === undefined
          ? "None. Every request is accepted."
          : `${saved.replace(" per ", " requests in ")} of the account's clock; the rest get 429.`}
      </p>
      <LimitForm key={saved} limit={limit} />
    </section>
  );
}

function LimitForm({ limit }: { readonly limit: RateLimit | undefined }): JSX.Element {
  const requests = useSignal(String(limit?.requests ?? 10));
  const per = useSignal(limit === undefined ? "1s" : formatDuration(limit.per));
  const problem = useSignal<string | undefined>(undefined);
  const change = (rate_limit: RateLimitChange, done: string): Promise<boolean> =>
    attemptAt(problem, () => sandbox().patch(`accounts/${encodeURIComponent(accountKey.value ?? "")}`, { rate_limit }), done);
  const save = (event: Event): void => {
    event.preventDefault();
    void change({ requests: Number(requests.value), per: per.value.trim() }, "Rate limit set.");
  };
  return (
    <form class="account-line" onSubmit={save}>
      <Field label="Requests">
        <input
          type="number"
          min="1"
          required
          value={requests.value}
          onInput={({ currentTarget }) => void (requests.value = currentTarget.value)}
        />
      </Field>
      <Field label="In" problem={problem.value}>
        <input required placeholder="1s" value={per.value} onInput={({ currentTarget }) => void (per.value = currentTarget.value)} />
      </Field>
      <button type="submit" class="button">
        Limit
      </button>
      {limit !== undefined && (
        <button type="button" class="button" onClick={() => void change(null, "Every request is taken.")}>
          Lift it
        </button>
      )}
    </form>
  );
}

/** null lifts the limit. */
type RateLimitChange = { readonly requests: number; readonly per: string } | null;
