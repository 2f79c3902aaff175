/** What is wrong with the naive backend: the findings of each rehearsal, and the checks that it fails. All that is not here it passes, or stopped before. */
export const NAIVE_DEFECTS = [
  {
    name: "as-customers-type",
    findings: ["loose-form amount", "loose-form phone_number"],
    failed: [
      "nothing is refused",
      "everything is in the gateway's form",
      "the order to 0712 is shown as paid",
      "the message to +254 is shown as paid",
      'the order of 100 and not "100" is shown as paid',
    ],
  },
  {
    name: "books-after-a-bad-afternoon",
    findings: ["callback-not-acknowledged", "double-spend airtime 254712001201"],
    failed: [
      "no order is paid for twice",
      "every callback is acknowledged",
      "the last message is credited once",
      "the books hold each charge once",
      "the books' total is what was spent",
    ],
  },
  {
    name: "busy-hour",
    findings: ["new-connections connections"],
    failed: ["connections are kept, and nothing else is found", "the balance is asked for once"],
  },
  { name: "contradicting-callbacks", findings: [], failed: ["the first result stands"] },
  {
    name: "curly-quotes",
    findings: ["costly-characters “ (U+201C), ” (U+201D), – (U+2013)"],
    failed: ["no character makes the message dearer", "the message costs one part"],
  },
  {
    name: "early-callback",
    findings: ["fails-on-early-callback"],
    failed: [
      "nothing is found",
      "both callbacks are acknowledged",
      "the order is shown as paid",
      "the customer is credited once",
      "the books hold each charge once",
    ],
  },
  {
    name: "empty-wallet",
    findings: ["sent-after-402 airtime"],
    failed: ["step 4, until at least 8 requests answered 200", "the queue stops at the first 402", "nothing is found"],
  },
  { name: "flaky-gateway", findings: ["no-back-off after a 500"], failed: ["retries back off"] },
  {
    name: "late-callback",
    findings: ["repeated-order airtime 254712001001"],
    failed: ["the order is sent once", "nothing is found", "the order costs what it should"],
  },
  {
    name: "lost-acknowledgment",
    findings: ["callback-not-acknowledged", "double-spend airtime 254712000101"],
    failed: [
      "the order is sent once",
      "nothing is found",
      "every callback is acknowledged",
      "the order costs what it should",
      "the books hold each charge once",
    ],
  },
  {
    name: "rate-limit",
    findings: ["no-back-off after a 429"],
    failed: ["step 2, until at least 5 requests answered 200", "Retry-After is waited for"],
  },
  { name: "repeated-callbacks", findings: [], failed: ["the customer is credited once", "the books hold each charge once"] },
  {
    name: "stray-callback",
    findings: ["fails-on-unknown-request-id"],
    failed: ["the receiver survives an unknown request_id"],
  },
  { name: "unreadable-callbacks", findings: ["fails-on-malformed"], failed: ["the receiver does not break down"] },
  {
    name: "wrong-credentials",
    findings: ["sent-after-401 consumer key and secret"],
    failed: ["step 7, until at least 8 requests answered 200", "the queue stops at the first 401", "nothing is found"],
  },
];
