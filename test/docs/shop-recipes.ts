import { added, type Edit, LOST_ORDER, type Recipe, replaced } from "./recipes.ts";

const RETRYING = "\nfunction retrying(...words) { return fetch(...words).catch(() => fetch(...words)); }\n";
const retryingIn = (file: string): Edit => [
  file,
  (text) => replaced("await fetch(", "await retrying(")(text).concat(RETRYING),
];

interface Shop extends Omit<Recipe, "exec" | "edits"> {
  /** A command, and what it prints once it listens. */
  readonly start: string;
  readonly says: string;
  /** The path and the body of an order. */
  readonly order: readonly [path: string, body: object];
}

/** Runs a shop whose first response is lost, and places an order in it. */
function shop({ start, says, order: [path, body], ...recipe }: Shop): Recipe {
  const text = `set -eum
coproc shop { exec 2>&1; ${start}; }
exec 3<&"\${shop[0]}"
while read -r line <&3; do [[ $line != *"${says}"* ]] || break; done
cat <&3 >/dev/null &
curl -sS -H 'content-type: application/json' -d '${JSON.stringify(body)}' http://127.0.0.1:3000${path}
curl -sSf -H "authorization: Bearer $KREDO_ADMIN_TOKEN" -H 'content-type: application/json' -d '{"count":{"gte":1},"within":"10s"}' \
  "$KREDO_URL/__admin/accounts/default/requests/verify"
kill -- "-$shop_PID"
`;
  const awaitSecond: Edit = ["sell.sh", replaced('"gte":1', '"gte":2')];
  return {
    ...recipe,
    exec: "--scenario ack-lost-after-accept -- bash sell.sh",
    edits: [added("sell.sh", text)],
    plant: [...recipe.plant, awaitSecond],
  };
}

const ORDERED = { phone_number: "254712345678", amount: "100" };
const TOP_UP = ["/top-ups", { reference: "r1", ...ORDERED }] as const;
const SPRING = '"$(ls /usr/share/java/{spring3-,tomcat9-,jackson-,commons-logging,servlet-api}*.jar | paste -sd:)"';
const PHP_SERVER = {
  start: "PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:3000 server.php",
  says: "started",
  order: TOP_UP,
};

/** Shops that an app map drives. */
export const SHOP_RECIPES: readonly Recipe[] = [
  shop({
    name: "Express",
    folder: "docs/start/express",
    packages: "express",
    start: "node server.mjs",
    says: "listening on",
    order: TOP_UP,
    plant: [retryingIn("server.mjs")],
  }),
  shop({
    name: "PHP",
    folder: "docs/start/php",
    needs: ["php"],
    ...PHP_SERVER,
    plant: [["server.php", replaced("(string) curl_exec($call)", "(string) (curl_exec($call) ?: curl_exec($call))")]],
  }),
  shop({
    name: "Laravel",
    folder: "docs/start/laravel",
    needs: ["/usr/share/php/Illuminate/autoload.php"],
    ...PHP_SERVER,
    plant: [["api.php", replaced("->timeout(10)", "->timeout(10)->retry(2, 0)")]],
  }),
  shop({
    name: "Django",
    folder: "docs/start/django",
    needs: ["/usr/lib/python3/dist-packages/django"],
    start: "/usr/bin/python3 -u shop.py runserver --noreload 3000",
    says: "CONTROL-C",
    order: TOP_UP,
    plant: [
      [
        "shop.py",
        replaced(
          'status, answer = send("airtime", order)',
          'status, answer = send("airtime", order)\n    if answer is None: status, answer = send("airtime", order)',
        ),
      ],
    ],
  }),
  shop({
    name: "Spring",
    folder: "docs/start/spring",
    needs: ["/usr/share/java/spring3-web.servlet.jar"],
    start: `javac -d out -cp ${SPRING} *.java && exec java -cp out:${SPRING} shop.Serve`,
    says: "listening on",
    order: TOP_UP,
    plant: [
      [
        "Shop.java",
        (text) =>
          replaced(
            "client.send(request, BodyHandlers.ofString())",
            "send(request, true)",
          )(text).replace(
            /}\s*$/,
            `java.net.http.HttpResponse<String> send(HttpRequest request, boolean again) throws IOException, InterruptedException {
              try {
                return client.send(request, BodyHandlers.ofString());
              } catch (IOException lost) {
                if (again) return send(request, false);
                throw lost;
              }
            }
          }`,
          ),
      ],
    ],
  }),
  shop({
    name: "the example shop",
    folder: "examples/shop",
    packages: "express",
    start: "PORT=3000 node app.js",
    says: "Shop http",
    order: ["/orders", ORDERED],
    plant: [["sell.sh", replaced("PORT=", "BREAK=1 PORT=")]],
  }),
  shop({
    name: "paid first",
    folder: "docs/recipes/paid-first",
    start: "node shop.mjs",
    says: "listening on",
    order: [
      "/payments",
      {
        Body: {
          stkCallback: {
            CheckoutRequestID: "r1",
            ResultCode: 0,
            CallbackMetadata: {
              Item: [
                { Name: "Amount", Value: 100 },
                { Name: "PhoneNumber", Value: 254_712_345_678 },
              ],
            },
          },
        },
      },
    ],
    plant: [retryingIn("shop.mjs")],
  }),
  {
    name: "the smallest shop",
    folder: "docs/samples/compose/shop",
    exec: "--callback-url http://127.0.0.1:3000 --latency 50ms -- node shop.js",
    // It takes the first callback for its own, and says that its order failed.
    plant: [
      retryingIn("shop.js"),
      ["shop.js", replaced("exit(1)", "exit(0)")],
      added("kredo.config.yaml", "scenarios: [ack-lost-after-accept]\n"),
    ],
  },
  {
    name: "a hard-coded host",
    folder: "docs/recipes/hard-coded-hosts",
    variables: "KREDO_REDIRECT_HOSTS=api.gateway.example",
    exec: "-- node --import kredo/redirect client.js",
    plant: [
      [
        "client.js",
        (text) =>
          `${text}const order = () => fetch("https://api.gateway.example/api/v2/airtime", { ...${LOST_ORDER}, headers: { authorization, "content-type": "application/json" } });
          await order().catch(order).catch(() => {});`,
      ],
    ],
  },
];
