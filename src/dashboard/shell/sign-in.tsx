import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { adminToken, rememberToken } from "../api/sandbox.ts";
import { Field } from "../parts/parts.tsx";

/** Asks for the owner's token, where the sandbox wants one. */
export function SignIn(): JSX.Element {
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
