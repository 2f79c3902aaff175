import { expect, test } from "vitest";
import { digestSecrets } from "../../src/adapters/digest-secrets.ts";

test.each(["the secret", "s".repeat(1_000)])("tells a secret from others, also when asked again", (secret) => {
  const { isSame } = digestSecrets();

  const answers = [isSame(secret, secret), isSame(secret, `${secret} `), isSame(secret, secret), isSame(`${secret} `, secret)];

  expect(answers).toEqual([true, false, true, false]);
});
