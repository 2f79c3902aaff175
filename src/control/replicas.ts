import { Hono } from "hono";
import * as z from "zod";
import { describeRoute } from "./describe-route.ts";
import type { ControlEnv } from "./env.ts";

const replicasShape = z.object({
  items: z
    .array(
      z.object({
        id: z.string().describe("Changes at each start of the process."),
        url: z.string().describe("The URL at which the other replicas reach it."),
        is_self: z.boolean().describe("Whether it answered this call."),
        accounts: z
          .array(z.string())
          .describe(
            "The consumer keys of the accounts that it owns; :sandbox is the journal of requests without an account.",
          ),
      }),
    )
    .describe("The running replicas, in the order in which they joined. Empty if the sandbox is a single process."),
  total: z.int(),
  waiting: z
    .array(z.object({ account: z.string(), reason: z.string() }))
    .describe("The accounts that no replica owns at the moment, and why."),
});

export const replicasCalls = new Hono<ControlEnv>().get(
  "/replicas",
  describeRoute("List the replicas that share the sandbox, each with the accounts that it owns", replicasShape),
  (c) => {
    const { ownership } = c.var.services;
    const replicas = ownership?.replicas() ?? [];
    const items = replicas.map(({ id, url, isSelf, accounts }) => ({ id, url, is_self: isSelf, accounts }));
    const waiting = (ownership?.waiting() ?? []).map(({ account, reason }) => ({ account, reason }));
    return c.json({ items, total: items.length, waiting });
  },
);
