import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { adminToken, rememberToken } from "./api/sandbox.ts";
import { Notices } from "./parts/notices.tsx";
import { Field } from "./parts/parts.tsx";
import { type PanelName, route } from "./route.ts";
import { areKeysShown, Keys } from "./shell/keys.tsx";
import { Navigation } from "./shell/navigation.tsx";
import { Top } from "./shell/top.tsx";
import { book, entryProblem, live } from "./store.ts";

/** The first paint needs one of them. */
const PANELS: Readonly<Record<PanelName, LoadedLater>> = {
  phones: loadedLater(async () => (await import("./panels/phones/phones-panel.tsx")).PhonesPanel),
  transactions: loadedLater(async () => (await import("./panels/transactions/transactions-panel.tsx")).TransactionsPanel),
  callbacks: loadedLater(async () => (await import("./panels/callbacks/callbacks-panel.tsx")).CallbacksPanel),
  wallet: loadedLater(async () => (await import("./panels/wallet/wallet-panel.tsx")).WalletPanel),
  time: loadedLater(async () => (await import("./panels/time/time-panel.tsx")).TimePanel),
  scenarios: loadedLater(async () => (await import("./panels/scenarios/scenarios-panel.tsx")).ScenariosPanel),
  findings: loadedLater(async () => (await import("./panels/findings/findings-panel.tsx")).FindingsPanel),
  account: loadedLater(async () => (await import("./panels/account/account-panel.tsx")).AccountPanel),
  send: loadedLater(async () => (await import("./panels/send/send-panel.tsx")).SendPanel),
};

/** Loads the panel that the address names, and the others once the page stands, so that none is missing when the sandbox stops. */
export async function loadPanels(): Promise<void> {
  await PANELS[route.value.panel].load();
  await new Promise((resolve) => setTimeout(resolve, OTHERS_AFTER));
  await Promise.all(Object.values(PANELS).map(({ load }) => load()));
}

/** Wall time, in milliseconds. */
const OTHERS_AFTER = 1_000;

export function App(): JSX.Element {
  useTitle();
  if (entryProblem.value?.status === 401) return <SignIn />;
  const { panel } = route.value;
  const Shown = PANELS[panel];
  return (
    <>
      <a class="skip button primary" href="#main" onClick={skipToPanel}>
        Skip to the panel
      </a>
      <div class="shell">
        <Top />
        <Navigation />
        <main id="main" class="main" tabIndex={-1}>
          <Banner />
          {book.value === undefined ? <p class="empty quiet">Reading the journal…</p> : <Shown key={panel} />}
        </main>
      </div>
      {areKeysShown.value && <Keys />}
      <Notices />
    </>
  );
}

/** The tab says how many callbacks were not delivered. */
function useTitle(): void {
  const undelivered = book.value?.book.undelivered.size ?? 0;
  useEffect(() => void (document.title = `${undelivered === 0 ? "" : `(${undelivered}) `}Kredo`), [undelivered]);
}

/** Following the link would make "#main" the address, which is where the page keeps the panel. */
function skipToPanel(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** A component that is loaded when it is first drawn, or before that by `load`. */
interface LoadedLater {
  (): JSX.Element;
  /** Loads it ahead, so that it is there at once; what fails is tried again when it is drawn. */
  readonly load: () => Promise<void>;
}

function loadedLater(load: () => Promise<ComponentType>): LoadedLater {
  let loaded: ComponentType | undefined;
  const loadOnce = async (): Promise<void> => {
    loaded ??= await load();
  };
  const Later = (): JSX.Element => {
    const [problem, setProblem] = useState(false);
    const [, redraw] = useState(loaded !== undefined);
    useEffect(
      () =>
        void loadOnce().then(
          () => redraw(true),
          () => setProblem(true),
        ),
      [],
    );
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded />;
    }
    return problem ? <NotLoaded /> : <p class="empty quiet">Loading…</p>;
  };
  return Object.assign(Later, { load: loadOnce });
}

function NotLoaded(): JSX.Element {
  return (
    <p class="empty" role="alert">
      This part of the page could not be loaded. Is the sandbox still running? Load the page again.
    </p>
  );
}

/** Says aloud that what is shown may be old. The region stands from the start, so that screen readers hear it. */
function Banner(): JSX.Element {
  const connection = live.value?.connection.value;
  return (
    <div role="status" aria-live="polite">
      {connection?.is === "lost" && <p class="banner">Connection lost, retrying…</p>}
      {connection?.is === "refused" && (
        <p class="banner">
          {connection.status === 404
            ? "This account is gone: it was dropped, or the sandbox began anew."
            : `The sandbox answered ${connection.status}.`}
        </p>
      )}
    </div>
  );
}

/** Asks for the owner's token, where the sandbox wants one. */
function SignIn(): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    rememberToken(field.current?.value.trim() ?? "");
  };
  return (
    <main class="empty">
      <h1>This sandbox asks for its admin token</h1>
      <p>It is what KREDO_ADMIN_TOKEN or the flag --admin-token was set to. This tab keeps it until it is closed.</p>
      <form class="stack" onSubmit={submit}>
        <Field label="Admin token">
          <input ref={field} type="password" autocomplete="off" required />
        </Field>
        {adminToken.value !== undefined && <p role="alert">That token is another one.</p>}
        <button type="submit" class="button primary">
          Go in
        </button>
      </form>
    </main>
  );
}
