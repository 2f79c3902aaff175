import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { adminToken, rememberToken } from "./api/sandbox.ts";
import { StatusLine } from "./parts/notices.tsx";
import { Field } from "./parts/form.tsx";
import { AccountView } from "./views/account/account-view.tsx";
import { FailuresView } from "./views/failures/failures-view.tsx";
import { RequestsView } from "./views/requests/requests-view.tsx";
import { describeExploration, isRunning } from "./views/verdict/progress.ts";
import { liveProblems } from "./live/worst-problems.ts";
import { VerdictView } from "./views/verdict/verdict-view.tsx";
import { hrefOf, HOME, currentRoute, type ViewName, VIEWS } from "./base/route.ts";
import { areKeysShown } from "./base/keys.ts";
import { Keys } from "./header/keys.tsx";
import { Header } from "./header/header.tsx";
import { account, accountKey, isTokenAsked, live } from "./live/store.ts";
import { clockTime } from "./base/format.ts";

const SHOWN: Readonly<Record<ViewName, () => JSX.Element>> = {
  requests: RequestsView,
  failures: FailuresView,
  verdict: VerdictView,
  account: AccountView,
};

export function App(): JSX.Element {
  useTitle();
  // Otherwise a view would open where the last one was scrolled to.
  useLayoutEffect(() => document.getElementById("main")?.scrollTo(0, 0), [currentRoute.value.view]);
  if (isTokenAsked.value) return <SignIn />;
  const { view, unknown } = currentRoute.value;
  const Shown = unknown === undefined ? SHOWN[view] : NotFound;
  return (
    <>
      <a class="skip button primary" href="#main" onClick={skipToView}>
        Skip to the view
      </a>
      <div class="shell">
        <Header />
        <div class="banners">
          <Banner />
          <Exploring />
        </div>
        <main id="main" class="main" tabIndex={-1}>
          {account.value !== undefined || unknown !== undefined ? <Shown key={unknown ?? view} /> : <NotRead />}
        </main>
        <StatusLine />
      </div>
      {areKeysShown.value && <Keys />}
    </>
  );
}

/** Sets the tab's title to what is open, with the number of undelivered callbacks. */
function useTitle(): void {
  const { view, item, unknown } = currentRoute.value;
  const { title } = VIEWS.find(({ name }) => name === view) ?? VIEWS[0];
  const opened = item === undefined ? title : `${item} · ${title}`;
  const undelivered = account.value?.reading.undelivered ?? 0;
  const name = `${undelivered === 0 ? "" : `(${undelivered}) `}${unknown === undefined ? opened : "Not found"} · Kredo`;
  useEffect(() => void (document.title = name), [name]);
}

/** Shows why there are no rows. If the account is missing, its journal never arrives; the banner says so. */
function NotRead(): JSX.Element | null {
  return live.value?.connection.value.is === "refused" ? null : <p class="empty quiet">Reading the journal…</p>;
}

function NotFound(): JSX.Element {
  return (
    <section class="empty">
      <h1>View not found</h1>
      <p>
        There is nothing at <strong dir="auto">{currentRoute.value.unknown}</strong>.
      </p>
      <a class="button" href={hrefOf({ view: HOME })}>
        Go to Requests
      </a>
    </section>
  );
}

/** Moves the focus without following the link, which would replace the view in the URL with "#main". */
function skipToView(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** Announces that the page may be out of date. The live region is rendered from the start, otherwise screen readers ignore its updates. */
function Banner(): JSX.Element {
  const connection = live.value?.connection.value;
  return (
    <div role="status" aria-live="polite">
      {connection?.is === "lost" && <p class="banner">Connection lost, retrying…</p>}
      {connection?.is === "refused" && (
        <p class="banner">
          {connection.status === 404 ? (
            <>
              No account has the key <strong>{accountKey.value}</strong>. It was dropped, or the sandbox restarted.{" "}
              <a href={hrefOf({ view: HOME, query: { account: "" } })}>Show the default account</a>
            </>
          ) : (
            `The sandbox answered ${connection.status}.`
          )}
        </p>
      )}
      <Restart />
    </div>
  );
}

/** Explains why the journal restarts: every run of an exploration resets the account. */
function Exploring(): JSX.Element | null {
  const exploration = live.value?.exploration.value;
  if (exploration === undefined || currentRoute.value.view === "verdict" || !isRunning(exploration)) return null;
  return (
    <p class="banner">
      kredo explore uses this account. {describeExploration(exploration, liveProblems.value)}{" "}
      <a href={hrefOf({ view: "verdict" })}>Show the matrix</a>
    </p>
  );
}

/** Explains why rows disappeared: a restart or a reset clears the journal. */
function Restart(): JSX.Element | null {
  const { restart, exploration } = live.value ?? {};
  if (restart?.value === undefined || (exploration?.value !== undefined && isRunning(exploration.value))) return null;
  const { by, at } = restart.value;
  return (
    <p class="banner">
      {by === "restart"
        ? `The sandbox was restarted at ${clockTime(at)}. Requests that it did not keep are gone.`
        : `The account was reset at ${clockTime(at)}. Earlier requests are gone.`}{" "}
      <button type="button" class="button small" onClick={() => void (restart.value = undefined)}>
        Close
      </button>
    </p>
  );
}

/** Asks for the admin token, if the sandbox requires one. */
function SignIn(): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    rememberToken(field.current?.value.trim() ?? "");
  };
  return (
    <main class="empty">
      <h1>This sandbox requires its admin token</h1>
      <p>Enter the value of KREDO_ADMIN_TOKEN or --admin-token. It is kept until you close this tab.</p>
      <form class="stack" onSubmit={submit}>
        <Field label="Admin token">
          <input ref={field} type="password" autocomplete="off" required />
        </Field>
        {adminToken.value !== undefined && (
          <p role="alert" class="bad">
            Wrong token.
          </p>
        )}
        <button type="submit" class="button primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
