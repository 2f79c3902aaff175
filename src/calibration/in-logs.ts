/** How to answer a question from the logs of a production account, without sending anything. */
export interface InLogs {
  readonly lookFor: string;
  /** An exchange that answers it, as `calibrate` reads it. All contents are invented. */
  readonly sample: object;
}

const REQUEST_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ACCEPTED = { status_code: 200, description: "Operation successful.", request_id: REQUEST_ID };
const BROKE = { status_code: 402, description: "Insufficient funds.", request_id: null };

export const ACKNOWLEDGED: InLogs = {
  lookFor: "the `request_id` of an acknowledgment, and whether your column is long enough",
  sample: {
    status: 200,
    body: { ...ACCEPTED, request_id: "Ab3Z0f8fad5bd9cb469fa16570867728950e9xY7" },
  },
};

export const WALLET_EMPTY: InLogs = { lookFor: "the `request_id` of a 402", sample: { status: 402, body: BROKE } };

export const REFUSED_AS_200: InLogs = {
  lookFor: "a refusal whose HTTP status is not its `status_code`",
  sample: { status: 200, body: BROKE },
};

export const AMOUNT_TOO_SMALL: InLogs = {
  lookFor: "what a 422 has beside its errors",
  sample: {
    status: 422,
    body: { validation_errors: { amount: ["The amount must be between 5 and 10000."] } },
  },
};

export const TOO_MANY_REQUESTS: InLogs = {
  lookFor: "a 429, and how many requests came before it",
  sample: { status: 429, body: { status_code: 429, description: "Too many requests." } },
};

export const AMOUNT_AS_NUMBER: InLogs = {
  lookFor: "an order whose `amount` was sent as a JSON number, and its response",
  sample: {
    request: { body: { phone_number: "254712345678", amount: 100 } },
    status: 200,
    body: ACCEPTED,
  },
};

export const CALLBACK_IN_TEXT: InLogs = {
  lookFor: "whether a callback has `result_code` and amounts in quotation marks",
  sample: {
    body: {
      request_id: REQUEST_ID,
      charge: "95",
      account_balance: "905",
      result_code: "200",
      result_desc: "Delivered.",
    },
  },
};

export const FAILED_ORDER: InLogs = {
  lookFor: "the `result_code` of a failed order's callback",
  sample: { body: failed(400, "Failed.") },
};

export const FAILED_SMS: InLogs = {
  lookFor: "the `charge` of an SMS that was not delivered",
  sample: { body: { ...failed(400, "Message failed."), charge: 0.8 } },
};

export const REPEATED: InLogs = {
  lookFor: "airtime for the same number and amount within 5 minutes that was refused, or failed by callback",
  sample: { body: failed(422, "Similar request within 5 minutes.") },
};

function failed(code: number, words: string): object {
  return { request_id: REQUEST_ID, charge: 0, account_balance: 1000, result_code: code, result_desc: words };
}
