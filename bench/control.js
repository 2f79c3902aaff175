const ACCOUNT = "/__admin/accounts/default";

/** Calls the control API for the default account. Returns the response body. */
export async function control(url, { method, path, body }) {
  const sent =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(url + ACCOUNT + path, { method, ...sent });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return text;
}
