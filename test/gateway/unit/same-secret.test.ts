import { expect, test } from "vitest";
import { isSameSecret } from "../../../src/gateway/http/same-secret.ts";

test.each(["the secret", "s".repeat(1_000)])("tells a secret from others, also when asked again", (secret) => {
  const pairs = [
    [secret, secret],
    [secret, `${secret} `],
    [secret, secret],
    [`${secret} `, secret],
  ] as const;
  const answers = pairs.map(([given, known]) => isSameSecret(given, known));

  expect(answers).toEqual([true, false, true, false]);
});
