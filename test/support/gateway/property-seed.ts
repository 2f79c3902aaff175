import fc from "fast-check";

/** The same properties are tried with the same values in every run; `PROPERTY_SEED=7 npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
