import { CONSUMER_KEY, CONSUMER_SECRET, PORT } from "../settings/defaults.ts";

/** What `kredo init` writes, by the path below the project's folder. */
export function initFiles(image: string): ReadonlyMap<string, string> {
  return new Map([
    [CONFIG_PATH, CONFIG],
    [SCENARIO_PATH, SCENARIO],
    [COMPOSE_PATH, compose(image)],
    [WORKFLOW_PATH, workflow(image)],
  ]);
}

export const CONFIG_PATH = "kredo.config.yaml";
export const SCENARIO_PATH = "scenarios/weak-network.yaml";
export const COMPOSE_PATH = "compose.kredo.yaml";
const WORKFLOW_PATH = ".github/workflows/kredo.yml";

const CONFIG = `# yaml-language-server: $schema=./node_modules/kredo/schema/config.schema.json
# The sandbox that "npx kredo serve" runs. Every key is optional; a flag or a variable beats what stands here.

# "document" answers as the gateway's document says, "statum" as the live gateway does where the two differ.
profile: document

# Fixes every id, delay and outcome. Without it each start draws a new one.
seed: 7

# "real", "manual" (stands still until "npx kredo advance 10m", for tests that never sleep), or "x10".
clock: real

# What goes wrong: files, and shipped scenarios that "npx kredo list" names. Their rules are tried in this order.
scenarios:
  - ./${SCENARIO_PATH}
  - magic-numbers

accounts:
  - consumer_key: ${CONSUMER_KEY}
    consumer_secret: ${CONSUMER_SECRET}
    # Shillings in the wallet at the start and after each reset.
    balance: "10000.00"
    # Where your application takes the results. It answers 200 within 3 seconds.
    callbacks:
      airtime: http://localhost:3000/hooks/airtime
      sms: http://localhost:3000/hooks/sms
    sender_ids: [SANDBOX, "20254"]

# One account for each new consumer key that begins so, with any secret: tests in parallel do not meet.
# auto_accounts: ["test-*"]

# What the detectors look at more, or not at all.
# findings:
#   burst: { requests: 20, per: 1s }
#   off: [details-polled]
`;

const SCENARIO = `# yaml-language-server: $schema=../node_modules/kredo/schema/scenario.schema.json
# Three numbers are in trouble, all others are left alone. For each request the rules are tried in order, and the first one whose
# "when" holds decides. Try one: npx kredo send airtime 254711000003 50
version: 1
name: weak-network
description: A slow acknowledgment, a lost one, and a callback that comes twice, for one number each.
rules:
  # A good client waits, or takes it for unknown; it does not send again.
  - name: the acknowledgment is slow
    when: { phone_number: "254711000001" }
    then: { ack: { delay: 4s } }

  # The money has moved, and the client never sees the request_id. The callback comes all the same.
  - name: the acknowledgment is lost after the money moved
    when: { phone_number: "254711000002" }
    then: { connection: reset_after_accept }

  # A good receiver answers 200 to both and books one.
  - name: the callback comes twice
    when: { phone_number: "254711000003" }
    then: { callback: { times: 2, gap: 1s } }

# What happens by itself, counted from the start on the account's clock.
# timeline:
#   - at: 60s
#     do: { wallet: { balance: "3.00" } }
`;

function compose(image: string): string {
  return `# docker compose -f ${COMPOSE_PATH} up
services:
  kredo:
    image: ${image}
    ports: ["127.0.0.1:${PORT}:${PORT}"]
    environment:
      KREDO_CONFIG: /config/${CONFIG_PATH}
      # Your application on this machine, as a container sees it (it has to listen on 0.0.0.0). Where it is a service in here, write
      # its name in place of host.docker.internal, and let it call http://kredo:${PORT}/api/v2.
      KREDO_CALLBACK_URL_AIRTIME: http://host.docker.internal:3000/hooks/airtime
      KREDO_CALLBACK_URL_SMS: http://host.docker.internal:3000/hooks/sms
    volumes:
      - ./${CONFIG_PATH}:/config/${CONFIG_PATH}:ro
      - ./scenarios:/config/scenarios:ro
    # Docker Desktop knows the name by itself, Docker on Linux by this line.
    extra_hosts: ["host.docker.internal:host-gateway"]
    read_only: true
    cap_drop: [ALL]
`;
}

function workflow(image: string): string {
  return `# Your tests with the sandbox as a service beside them, which is configured by its environment alone.
name: kredo
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      kredo:
        # One that the runner can pull.
        image: ${image}
        ports: ["127.0.0.1:${PORT}:${PORT}"]
        # The steps run beside the containers, which know that machine by this name.
        options: --add-host host.docker.internal:host-gateway
        env:
          KREDO_SEED: "7"
          KREDO_SCENARIO: magic-numbers
          KREDO_BALANCE: "10000.00"
          KREDO_CALLBACK_URL_AIRTIME: http://host.docker.internal:3000/hooks/airtime
          KREDO_CALLBACK_URL_SMS: http://host.docker.internal:3000/hooks/sms
          # All that a config file may say, where no file can be mounted.
          KREDO_CONFIG_INLINE: |
            auto_accounts: ["test-*"]
    env:
      KREDO_URL: http://127.0.0.1:${PORT}
      KREDO_BASE_URL: http://127.0.0.1:${PORT}/api/v2
      KREDO_CONSUMER_KEY: ${CONSUMER_KEY}
      KREDO_CONSUMER_SECRET: ${CONSUMER_SECRET}
${STEPS}`;
}

const STEPS = `    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: npm test
      # What the sandbox noticed, also where a test failed.
      - if: always()
        run: curl -sSf "$KREDO_URL/__admin/accounts/default/report?format=html" -o kredo-report.html
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: kredo-report, path: kredo-report.html }
`;
