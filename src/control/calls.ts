import { Hono } from "hono";
import type { ExtractSchema } from "hono/types";
import { PACKAGE_FOLDER } from "../gateway/adapters/files/shipped-files.ts";
import { describeRoute } from "./describe-route.ts";
import type { ControlEnv } from "./env.ts";
import { pageFilesOnDisk } from "./page-files-on-disk.ts";
import { HttpProblem } from "./problem.ts";
import { accountCalls, accountsCalls } from "./accounts.ts";
import { callbackCalls } from "./callbacks.ts";
import { clockCalls } from "./clock.ts";
import { accountEventCalls, eventCalls } from "./events.ts";
import { dryRunCalls } from "./dry-run.ts";
import { exchangeCalls } from "./exchanges.ts";
import { journalCalls } from "./journal.ts";
import { messageCalls } from "./messages.ts";
import { replicasCalls } from "./replicas.ts";
import { requestCalls } from "./requests.ts";
import { scenarioCalls } from "./scenarios.ts";
import { senderIdCalls } from "./sender-ids.ts";
import { shippedScenarioCalls } from "./shipped-scenarios.ts";
import { transactionCalls } from "./transactions.ts";
import { verifyCalls } from "./verify.ts";
import { walletCalls } from "./wallet.ts";

const SCHEMAS = pageFilesOnDisk(PACKAGE_FOLDER && new URL("schema/", PACKAGE_FOLDER));

const descriptionCalls = new Hono<ControlEnv>().get(
  "/openapi.json",
  describeRoute("Read this description", undefined, { mediaTypes: ["application/json"] }),
  (c) => {
    const file = SCHEMAS.find("openapi.json");
    if (file === undefined)
      throw new HttpProblem(404, ["the package has no schema/openapi.json", "install Kredo again"]);
    return c.body(file.content, 200, { "content-type": file.mediaType });
  },
);

const OF_ACCOUNT = "/accounts/:account";

/** Every call but those from outside and the one for the description. */
const CONTROL_CALLS = new Hono<ControlEnv>()
  .route("/accounts", accountsCalls)
  .route(OF_ACCOUNT, accountCalls)
  .route(OF_ACCOUNT, walletCalls)
  .route(OF_ACCOUNT, transactionCalls)
  .route(OF_ACCOUNT, dryRunCalls)
  .route(OF_ACCOUNT, requestCalls)
  .route(OF_ACCOUNT, exchangeCalls)
  .route(OF_ACCOUNT, verifyCalls)
  .route(OF_ACCOUNT, clockCalls)
  .route(OF_ACCOUNT, callbackCalls)
  .route(OF_ACCOUNT, messageCalls)
  .route(OF_ACCOUNT, senderIdCalls)
  .route(OF_ACCOUNT, scenarioCalls)
  .route("/", shippedScenarioCalls)
  .route(OF_ACCOUNT, accountEventCalls)
  .route("/", eventCalls)
  .route(OF_ACCOUNT, journalCalls)
  .route("/", replicasCalls);

/** Returns every call, with those from outside. */
export function controlCalls(others: Hono<ControlEnv>): Hono<ControlEnv> {
  return new Hono<ControlEnv>().route("/", CONTROL_CALLS).route("/", others).route("/", descriptionCalls);
}

/** What each call takes and answers, by path and method. */
export type ControlSchema = ExtractSchema<typeof CONTROL_CALLS>;
