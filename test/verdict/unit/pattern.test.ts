import { expect, test } from "vitest";
import { compilePattern, findPatternFault } from "../../../src/verdict/rehearsal/pattern.ts";

test.each([
  ["OTP", "your OTP", true],
  ["^otp", "OTP 1", false],
  ["(?i)^otp", "OTP 1", true],
  ["(?i:otp) \\d{6}", "Otp 123456", true],
  ["[Oo][Tt][Pp]", "oTp", true],
  ["\\p{L}+", "habari", true],
  ["^\\p{Lu}", "Élan", true],
  ["\\p{Script=Greek}", "αβγ", true],
  ["\\P{L}", "abc", false],
  ["\\u0041\\u{42}", "AB", true],
  ["\\\\u0041", "\\u0041", true],
  ["^.$", "😀", true],
  ["(?<code>\\d{4})", "1234", true],
  ["(?:a|b)*c", "ababc", true],
  ["(a+)+$", "aaa", true],
  ["(?<!KES )50", "KES 50", false],
  ["a*b*c*d*e", "abcde", true],
  ["KES \\$?\\d+(?:\\.\\d\\d)?", "KES 50.00", true],
])("%s and %j: %s", (pattern, text, isMatch) => {
  const fault = findPatternFault(pattern);

  expect(fault).toBeUndefined();
  expect(compilePattern(pattern).test(text)).toBe(isMatch);
});

test.each([
  ["two stars in a row", ".*.*.*!", `!${"a".repeat(999)}`],
  ["sixty optional letters", `${"a?".repeat(60)}${"a".repeat(60)}$`, `${"a".repeat(59)}!`],
  ["bounded repeats", "a{0,150}a{0,150}a{0,150}b$", `b${"a".repeat(999)}`],
  ["a repeated repeat", "(a+)+$", `${"a".repeat(999)}!`],
  ["a repeated choice", "(a|aa)+$", `${"a".repeat(999)}!`],
])("matches %s against 1,000 characters in less than a second", (_what, pattern, text) => {
  const compiled = compilePattern(pattern);
  const begun = performance.now();

  compiled.test(text);

  expect(performance.now() - begun).toBeLessThan(1_000);
});

test.each([
  ["", "has 0 characters"],
  ["a".repeat(501), "has 501 characters"],
  ["[", "missing closing ] ["],
  ["*a", "missing argument to repetition operator *"],
  ["\\h", "invalid escape sequence \\h"],
  ["\\p{Klingon}", "invalid character class range \\p{Klingon}"],
  ["\\w{1,1000}\\w{1,1000}\\w{1,1000}$!", "is slow"],
])("refuses %j", (pattern, problem) => {
  const fault = findPatternFault(pattern);

  expect(fault?.problem).toContain(problem);
});
