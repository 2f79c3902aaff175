/** Sells airtime, and tells "refused" from "nobody knows": only the former may be tried again. */
export class TopUps {
  #send;
  #reports = new Map();

  /** `send` takes a path and what `fetch` takes; base URL and credentials are its business. */
  constructor(send) {
    this.#send = send;
  }

  async sell(phoneNumber, amount) {
    const body = JSON.stringify({ phone_number: phoneNumber, amount });
    const headers = { "content-type": "application/json" };
    const answer = await this.#send("/api/v2/airtime", { method: "POST", headers, body }).catch(() => undefined);
    if (answer === undefined) return { outcome: "unknown" };
    const { request_id: requestId, description } = await answer.json();
    return answer.ok ? { outcome: "accepted", requestId } : { outcome: "refused", description };
  }

  /** A callback; the same one again changes nothing. */
  report({ request_id: requestId, result_code: code, charge }) {
    if (!this.#reports.has(requestId)) this.#reports.set(requestId, { isPaid: code === 200, charge });
  }

  reportOf(requestId) {
    return this.#reports.get(requestId);
  }

  get spent() {
    return [...this.#reports.values()].reduce((sum, { charge }) => sum + charge, 0);
  }
}
