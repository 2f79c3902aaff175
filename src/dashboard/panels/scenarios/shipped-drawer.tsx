import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ShippedScenarioText } from "../../../testing/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { explain } from "../../notices.ts";
import { CopyButton } from "../../parts/parts.tsx";
import { Drawer } from "../../parts/drawer.tsx";
import { goTo } from "../../route.ts";
import { putDraft } from "./draft.ts";
import { beginShipped } from "./begin-shipped.ts";

/** A shipped scenario's file, to be read, begun, or made one's own. */
export function ShippedDrawer({ name, onClose }: { readonly name: string; readonly onClose: () => void }): JSX.Element {
  const [shipped, setShipped] = useState<ShippedScenarioText>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    sandbox()
      .get<ShippedScenarioText>(`scenarios/${encodeURIComponent(name)}`)
      .then(setShipped, (error: unknown) => setProblem(explain(error)));
  }, [name]);
  return (
    <Drawer title={name} onClose={onClose}>
      {problem !== "" && <p role="alert">{problem}</p>}
      {shipped !== undefined && (
        <>
          <p>{shipped.description}</p>
          <div class="row">
            <button type="button" class="button primary" onClick={() => void beginShipped(name)}>
              Begin
            </button>
            <button type="button" class="button" onClick={() => open(shipped.text)}>
              Open in the editor
            </button>
            <CopyButton text={shipped.text} label={`the text of ${name}`} />
          </div>
          <pre class="shipped-text" tabIndex={0} aria-label={`The text of ${name}`}>
            {shipped.text}
          </pre>
        </>
      )}
    </Drawer>
  );
}

function open(text: string): void {
  putDraft(text);
  goTo({ panel: "scenarios", item: "write" });
}
