import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Attempted } from "../../../../gateway/account/events.ts";
import { Field, Form } from "../../../parts/form.tsx";
import { resendRequests } from "../../../actions/resend.ts";

/** Sends a callback once more with another body or other headers. */
export function EditCallback({ attempt, body }: { readonly attempt: Attempted; readonly body: string }): JSX.Element {
  const head = useRef<HTMLTextAreaElement>(null);
  const content = useRef<HTMLTextAreaElement>(null);
  const sent = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`);
  const submit = (): Promise<void> => {
    const { value: lines = "" } = head.current ?? {};
    const { value: text = body } = content.current ?? {};
    return resendRequests([attempt.requestId], { ...headersIn(lines), body: text });
  };
  return (
    <details>
      <summary>Edit and resend</summary>
      <Form label={`Edit callback ${attempt.attempt}`} submit="Resend edited" busy="Sending…" onSubmit={submit}>
        {(problem) => (
          <>
            <Field
              label="Headers"
              hint="One per line, changed or added. Removing a line does not remove its header."
              problem={problem}
            >
              <textarea ref={head} class="wire-text" spellcheck={false} defaultValue={sent.join("\n")} />
            </Field>
            <Field label="Body">
              <textarea ref={content} class="wire-text" spellcheck={false} dir="auto" defaultValue={body} />
            </Field>
          </>
        )}
      </Form>
    </details>
  );
}

/** The headers as the control API takes them. */
function headersIn(lines: string): object {
  const written = lines.split("\n").filter((line) => line.trim() !== "");
  const headers = Object.fromEntries(written.map(readHeader));
  const { "content-type": type, ...others } = headers;
  return {
    ...(type !== undefined && { content_type: type }),
    ...(Object.keys(others).length > 0 && { headers: others }),
  };
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 1) throw new Error(`"${line.trim()}" is not a header; write NAME: VALUE`);
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
