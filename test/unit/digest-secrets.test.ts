import { expect, test } from "vitest";
import { digestSecrets } from "../../src/adapters/digest-secrets.ts";

test.each(["the secret", "s".repeat(1_000)])("tells a secret from others, also when asked again", (secret) => {
  const secrets = digestSecrets();

  const pairs = [
    [secret, secret],
    [secret, `${secret} `],
    [secret, secret],
    [`${secret} `, secret],
  ] as const;
  const answers = pairs.map(([given, known]) => secrets.isSame(given, known));

  expect(answers).toEqual([true, false, true, false]);
});
