import { asCurl, type Caller } from "../../api/curl.ts";

/** A complete program that buys airtime, using only the standard library of its language. */
export interface Snippet {
  readonly language: "curl" | "php" | "java" | "node" | "python";
  readonly title: string;
  /** How to run it, in one sentence. */
  readonly run: string;
  readonly write: (caller: Caller) => string;
}

/** No rule matches the recipient, so the purchase succeeds. */
const ORDER = '{"phone_number":"254712345678","amount":"50"}';

export const SNIPPETS: readonly Snippet[] = [
  { language: "curl", title: "curl", run: "Paste it into a shell.", write: writeCurl },
  { language: "php", title: "PHP", run: "Save it as buy.php and run: php buy.php", write: writePhp },
  { language: "java", title: "Java", run: "Save it as Buy.java and run: java Buy.java", write: writeJava },
  { language: "node", title: "Node", run: "Save it as buy.mjs and run: node buy.mjs", write: writeNode },
  { language: "python", title: "Python", run: "Save it as buy.py and run: python3 buy.py", write: writePython },
];

function writeCurl(caller: Caller): string {
  return asCurl({ method: "POST", path: "/api/v2/airtime", body: ORDER }, caller);
}

function writePhp({ origin, consumerKey, consumerSecret }: Caller): string {
  return `<?php
$baseUrl = ${phpQuoted(origin)};

$request = curl_init($baseUrl . '/api/v2/airtime');
curl_setopt_array($request, [
    CURLOPT_USERPWD => ${phpQuoted(`${consumerKey}:${consumerSecret}`)},
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'phone_number' => '254712345678',
        'amount' => '50',
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$answer = curl_exec($request);
if ($answer === false) {
    // It may have happened all the same: wait for the callback first.
    exit('No answer: ' . curl_error($request) . PHP_EOL);
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;
`;
}

function writeJava({ origin, consumerKey, consumerSecret }: Caller): string {
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

public class Buy {
    public static void main(String[] args) throws Exception {
        String baseUrl = ${doubleQuoted(origin)};
        String credentials = ${doubleQuoted(`${consumerKey}:${consumerSecret}`)};
        String order = ${doubleQuoted(ORDER)};

        byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
        String basic = "Basic " + Base64.getEncoder().encodeToString(bytes);
        HttpRequest request = HttpRequest
            .newBuilder(URI.create(baseUrl + "/api/v2/airtime"))
            .header("Authorization", basic)
            .header("Content-Type", "application/json")
            // Without an answer it may have happened all the same:
            // wait for the callback before trying again.
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofString(order))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}
`;
}

function writeNode({ origin, consumerKey, consumerSecret }: Caller): string {
  return `const baseUrl = ${doubleQuoted(origin)};
const credentials = ${doubleQuoted(`${consumerKey}:${consumerSecret}`)};
const basic = Buffer.from(credentials).toString("base64");

const answer = await fetch(\`\${baseUrl}/api/v2/airtime\`, {
  method: "POST",
  headers: {
    authorization: \`Basic \${basic}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify({ phone_number: "254712345678", amount: "50" }),
  // Without an answer it may have happened all the same:
  // wait for the callback before trying again.
  signal: AbortSignal.timeout(30_000),
});
console.log(answer.status, await answer.json());
`;
}

function writePython({ origin, consumerKey, consumerSecret }: Caller): string {
  return `import base64
import json
import urllib.error
import urllib.request

base_url = ${doubleQuoted(origin)}
credentials = ${doubleQuoted(`${consumerKey}:${consumerSecret}`)}
basic = base64.b64encode(credentials.encode()).decode()
order = {"phone_number": "254712345678", "amount": "50"}

request = urllib.request.Request(
    base_url + "/api/v2/airtime",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Basic " + basic,
        "Content-Type": "application/json",
    },
)
try:
    # Without an answer it may have happened all the same:
    # wait for the callback before trying again.
    answer = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as refusal:
    answer = refusal
print(answer.status, json.load(answer))
`;
}

/** Formats a double-quoted literal of JavaScript, Python or Java, which share JSON's escapes (ECMA-262 §12.9.4, JLS §3.10.7). */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}

/** Formats a single-quoted PHP string, in which only the quote and the backslash are escaped (PHP manual, "Strings"). */
export function phpQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
