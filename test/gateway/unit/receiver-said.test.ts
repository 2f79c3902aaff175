import * as fc from "fast-check";
import { expect, test } from "vitest";
import { receiverSaid } from "../../../src/gateway/account/readings/receiver-said.ts";

const EXPRESS = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>TypeError: Cannot read properties of undefined (reading &#39;orderId&#39;)<br> &nbsp; &nbsp;at /shop/server.js:12:30</pre>
</body>
</html>`;

const IGNITION = `<!DOCTYPE html>
<html lang="en" class="auto">
<!--
ErrorException: Undefined array key &quot;orderId&quot; in file /app/Hooks.php on line 12
-->
<head>
    <title>Undefined array key &quot;orderId&quot;</title>
    <style>body { color: red }`;

const LARAVEL = `<!DOCTYPE html>
<html lang="en">
    <head>
        <title>Server Error</title>
        <style>h1 { color: red }</style>
    </head>
    <body class="antialiased">
        <div class="px-4">500</div>
        <div class="ml-4">Server Error</div>`;

const SYMFONY = `<!-- Warning: Undefined array key &quot;orderId&quot; (500 Internal Server Error) -->
<!DOCTYPE html>
<html lang="en">
    <head>
        <title>Warning: Undefined array key &quot;orderId&quot; (500 Internal Server Error)</title>`;

const SYMFONY_JSON =
  '{"type":"https:\\/\\/tools.ietf.org\\/html\\/rfc2616#section-10","title":"An error occurred","status":500,"detail":"Warning: Undefined array key \\u0022orderId\\u0022","class":"ErrorException","trace":[{"names';

const DJANGO = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta name="robots" content="NONE,NOARCHIVE">
  <title>KeyError
          at /hooks/airtime</title>
  <style>
    html * { padding:0; margin:0; }`;

const DJANGO_CSRF = `<!DOCTYPE html>
<html lang="en">
<head>
  <title>403 Forbidden</title>
</head>
<body>
<div id="summary">
  <h1>Forbidden <span>(403)</span></h1>
  <p>CSRF verification failed. Request aborted.</p>`;

const SPRING =
  '{"timestamp":"2025-01-06T11:10:00.000+00:00","status":500,"error":"Internal Server Error","message":"Cannot invoke \\"Order.id()\\" because \\"order\\" is null","path":"/hooks"}';

const RAILS = `<!DOCTYPE html>
<html lang="en">
<head>
  <title>Action Controller: Exception caught</title>
</head>
<body>
<header role="banner">
  <h1>
    NoMethodError
      in HooksController#create
  </h1>
</header>`;

const RAILS_JSON =
  '{"status":500,"error":"Internal Server Error","exception":"#\\u003cNoMethodError: undefined method \'id\' for nil\\u003e","traces":{"Application Trace":[{"exception_object_id":8';

test.each([
  ["Express", EXPRESS, "TypeError: Cannot read properties of undefined (reading 'orderId')"],
  [
    "Express, its stack as text",
    "TypeError: x is not a function\n    at /shop/server.js:1:2",
    "TypeError: x is not a function",
  ],
  [
    "Express in production",
    "<!DOCTYPE html><title>Error</title><pre>Internal Server Error</pre>",
    "Internal Server Error",
  ],
  ["Fastify", '{"statusCode":500,"error":"Internal Server Error","message":"boom"}', "boom"],
  ["Laravel with Ignition", IGNITION, 'Undefined array key "orderId"'],
  ["Laravel in production", LARAVEL, "Server Error"],
  ["Laravel, JSON", '{"message":"CSRF token mismatch.","exception":"HttpException"}', "CSRF token mismatch."],
  ["Symfony", SYMFONY, 'Warning: Undefined array key "orderId" (500 Internal Server Error)'],
  ["Symfony, JSON that is cut off", SYMFONY_JSON, 'Warning: Undefined array key "orderId"'],
  ["Django", DJANGO, "KeyError at /hooks/airtime"],
  ["Django's protection against forgery", DJANGO_CSRF, "CSRF verification failed. Request aborted."],
  ["Django, as text", "KeyError at /hooks\n'orderId'\n\nRequest Method: POST", "KeyError at /hooks"],
  ["Spring", SPRING, 'Cannot invoke "Order.id()" because "order" is null'],
  [
    "Spring without a message",
    '{"status":500,"error":"Internal Server Error","path":"/hooks"}',
    "Internal Server Error",
  ],
  ["Rails", RAILS, "NoMethodError in HooksController#create"],
  ["Rails, JSON that is cut off", RAILS_JSON, "NoMethodError: undefined method 'id' for nil"],
  ["FastAPI", '{"detail":[{"loc":["body","id"],"msg":"Field required"}]}', "Field required"],
  [
    "PHP",
    "<br />\n<b>Fatal error</b>:  Uncaught Error: no order in /hooks.php",
    "Fatal error: Uncaught Error: no order in /hooks.php",
  ],
  [
    "Python's traceback",
    "Traceback (most recent call last):\n  File \"hooks.py\", line 3\nKeyError: 'orderId'\n",
    "KeyError: 'orderId'",
  ],
  ["an indented page", "<html><body>\n  <p>\n    no such order\n  </p>", "no such order"],
  ["an indented page without paragraphs", "<html>\n  <body>\n    no such order", "no such order"],
  ["characters by number or name", "<p>it&#39;s &#x1F600; &AMP; more</p>", "it's 😀 & more"],
  ["what is no character", "<p>&#1114112; &#x110000; &constructor;</p>", "&#1114112; &#x110000; &constructor;"],
  ["plain text", "\n  duplicate callback \nsee the log", "duplicate callback"],
  ["any JSON", '{\n  "code": 17\n}', '{ "code": 17 }'],
  ["nothing", " \n", undefined],
  ["OK", "OK\n", undefined],
  ["OK as JSON", '"ok"', undefined],
])("reads what the receiver said from its answer: %s", (_, body, said) => {
  expect(receiverSaid({ kind: "answered", status: 500, body })).toBe(said);
});

test("a receiver that gave no answer said nothing", () => {
  expect(receiverSaid({ kind: "timed_out" })).toBeUndefined();
});

test("reads any answer, in one pass", () => {
  const piece = fc.constantFrom(
    "<",
    "<p",
    "</p",
    "<br",
    "<!--",
    "<script",
    "<title>",
    "&#",
    ">",
    "\n",
    " ",
    '{"a":"',
    "\\",
    "é",
  );
  const answer = fc.tuple(
    fc.constantFrom("", "<html>", "<pre", "{", "["),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
  );
  const begun = performance.now();

  fc.assert(
    fc.property(answer, ([start, pieces]) => {
      receiverSaid({ kind: "answered", status: 500, body: `${start}${pieces.join("").repeat(5_000)}` });
    }),
  );

  // What takes the square of its length takes minutes.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
