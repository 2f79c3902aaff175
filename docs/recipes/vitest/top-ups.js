/** Sells airtime, and tells a refused order from one with an unknown outcome: only a refused order may be sent again. */
export class TopUps {
  #send;
  #reports = new Map();

  /** `send` takes a path and the options of `fetch`. It adds the base URL and the credentials. */
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

  /** Handles a callback. A repeated callback changes nothing. */
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
