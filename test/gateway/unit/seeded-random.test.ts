import { expect, test } from "vitest";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";

// A seed that somebody wrote down must give the same run in every later version.
test("draws what it has always drawn", () => {
  const draws = seededRandom().digest("7 sandbox-key airtime 254712345678 100 1");

  expect(draws.uuid()).toBe("2e258b5d-9073-4b8b-8fa3-ed30f2decba6");
  expect(draws.draw("latency")).toBe(0.28081876861948907);
});

test("the id is the head of the label's SHA-256", () => {
  // SHA-256 of "abc" is ba7816bf 8f01cfea 414140de 5dae2223 ... (FIPS 180-2, appendix B.1).
  const id = seededRandom().digest("abc").uuid();

  expect(id).toBe("ba7816bf-8f01-4fea-8141-40de5dae2223");
});
