/** The oracle's check, and the one of findings that most rehearsals have. */
const ORDERS = "each order ends right";
const FINDINGS = "nothing else is found";

/** What is wrong with the naive backend: the findings of each rehearsal, and the checks that it fails. All that is not here it passes. */
export const NAIVE_DEFECTS = [
  {
    name: "as-customers-type",
    findings: ["loose-form phone_number"],
    failed: ["nothing is refused", "everything is in the gateway's form"],
  },
  {
    name: "books-after-a-bad-afternoon",
    findings: ["callback-not-acknowledged", "double-spend airtime 254712001201"],
    failed: [ORDERS],
  },
  {
    name: "busy-hour",
    findings: ["new-connections connections"],
    failed: ["connections are kept, and nothing else is found"],
  },
  { name: "contradicting-callbacks", findings: [], failed: [ORDERS] },
  {
    name: "curly-quotes",
    findings: ["costly-characters “ (U+201C), ” (U+201D), – (U+2013)"],
    failed: ["no character makes the message dearer"],
  },
  { name: "early-callback", findings: ["fails-on-early-callback"], failed: [ORDERS] },
  { name: "empty-wallet", findings: ["sent-after-402 airtime"], failed: [FINDINGS] },
  { name: "failed-results", findings: [], failed: [] },
  { name: "flaky-gateway", findings: ["no-back-off after a 500"], failed: [FINDINGS] },
  {
    name: "hanging-gateway",
    findings: [
      "callback-not-acknowledged",
      "double-spend airtime 254712001701",
      "no-back-off after its client had given up waiting",
    ],
    failed: [ORDERS],
  },
  { name: "late-callback", findings: [], failed: [] },
  {
    name: "lost-acknowledgment",
    findings: ["callback-not-acknowledged", "double-spend airtime 254712000101"],
    failed: [ORDERS],
  },
  { name: "rate-limit", findings: ["no-back-off after a 429"], failed: [FINDINGS] },
  { name: "repeated-callbacks", findings: [], failed: [ORDERS] },
  { name: "stray-callback", findings: ["fails-on-unknown-request-id"], failed: [FINDINGS] },
  {
    name: "truncated-acknowledgment",
    findings: [
      "callback-not-acknowledged",
      "double-spend airtime 254712001801",
      "no-back-off after its connection broke (truncate)",
    ],
    failed: [ORDERS],
  },
  { name: "unreadable-callbacks", findings: ["fails-on-malformed"], failed: ["the receiver does not break down"] },
  { name: "wrong-credentials", findings: ["sent-after-401 consumer key and secret"], failed: [FINDINGS] },
];
