/** What is wrong with the naive backend: the problems of each rehearsal, worst first. All that is not here it passes. */
export const NAIVE_DEFECTS = [
  { name: "as-customers-type", problems: ["defect typed-number-passed-on"] },
  {
    name: "books-after-a-bad-afternoon",
    problems: ["defect sold-twice", "defect wrong-books"],
  },
  { name: "busy-hour", problems: ["hint new-connections"] },
  { name: "curly-quotes", problems: ["cost costly-characters"] },
  { name: "empty-wallet", problems: ["risk sent-after-402"] },
  { name: "flaky-gateway", problems: ["risk no-back-off"] },
  { name: "rate-limit", problems: ["risk no-back-off"] },
  { name: "secret-rotated", problems: ["risk sent-after-401"] },
];
