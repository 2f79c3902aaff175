/** What is wrong with the naive backend: the problems of each rehearsal, worst first. All that is not here it passes. */
export const NAIVE_DEFECTS = [
  { name: "as-customers-type", problems: ["defect loose-form"] },
  {
    name: "books-after-a-bad-afternoon",
    problems: ["defect sold-twice", "defect wrong-books"],
  },
  { name: "busy-hour", problems: ["defect new-connections"] },
  { name: "curly-quotes", problems: ["defect costly-characters"] },
  { name: "empty-wallet", problems: ["defect sent-after-402"] },
  { name: "flaky-gateway", problems: ["defect no-back-off"] },
  { name: "rate-limit", problems: ["defect no-back-off"] },
  { name: "wrong-credentials", problems: ["defect sent-after-401"] },
];
