/** Calls the control API; rejects with what it answered when that is a refusal. */
export async function get<Answer>(url: string): Promise<Answer> {
  return read<Answer>(url, await fetch(url));
}

export async function post<Answer>(url: string, body: unknown, method: "POST" | "PUT" = "POST"): Promise<Answer> {
  return read<Answer>(
    url,
    await fetch(url, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
}

async function read<Answer>(url: string, response: Response): Promise<Answer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  const answer: Answer = JSON.parse(text);
  return answer;
}
