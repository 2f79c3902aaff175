/** The panels by their names in the address, each with its heading. */
export const PANELS = [
  ["phones", "Phones"],
  ["transactions", "Transactions"],
  ["callbacks", "Callbacks"],
  ["wallet", "Wallet"],
  ["time", "Time"],
  ["scenarios", "Scenarios"],
  ["findings", "Findings"],
  ["exploration", "Exploration"],
  ["account", "Account"],
  ["send", "Send"],
] as const;
