import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first drawn, or earlier by `load`. */
export interface LoadedLater<Props = object> {
  (props: Props): JSX.Element;
  /** Loads it ahead of time. If that fails, drawing it tries again. */
  readonly load: () => Promise<void>;
}

/** Shows `meanwhile` until the component is loaded. */
export function loadedLater<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: () => JSX.Element = Loading,
): LoadedLater<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<void> => {
    loaded ??= await load();
  };
  const Later = (props: Props): JSX.Element => {
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
      return <Loaded {...props} />;
    }
    return problem ? <NotLoaded /> : meanwhile();
  };
  return Object.assign(Later, { load: loadOnce });
}

function Loading(): JSX.Element {
  return <p class="empty quiet">Loading…</p>;
}

function NotLoaded(): JSX.Element {
  return (
    <p class="empty" role="alert">
      This part of the page could not be loaded. Is the sandbox still running? Load the page again.
    </p>
  );
}
