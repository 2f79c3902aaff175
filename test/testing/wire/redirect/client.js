// An application with a hard-coded host: asks it for the account's details in every usual way, and prints what came back.
import http from "node:http";
import https, { request as requestTakenAtStart } from "node:https";
import { request } from "undici";

const GATEWAY = "https://api.gateway.example/api/v2/account-details";
const WITH_DOT = GATEWAY.replace("example/", "example./");
const { KREDO_CONSUMER_KEY: key, KREDO_CONSUMER_SECRET: secret, KREDO_URL: elsewhere } = process.env;
const headers = { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}` };

const call = (module, url, options = {}) =>
  new Promise((resolve, reject) =>
    module
      .get(url, { headers, ...options }, (response) =>
        response.resume().once("end", () => resolve(response.statusCode)),
      )
      .on("error", reject),
  );

const agent = new https.Agent({ keepAlive: true });
console.log(
  JSON.stringify({
    fetch: (await fetch(GATEWAY, { headers })).status,
    undici: (await request(GATEWAY, { headers })).statusCode,
    https: await call(https, GATEWAY),
    "https with an agent of its own": await call(https, GATEWAY, { agent }),
    "its second request": await call(https, GATEWAY, { agent }),
    http: await call(http, GATEWAY.replace("https", "http")),
    "https by options and a function taken at the start": await new Promise((resolve, reject) =>
      requestTakenAtStart({ hostname: "api.gateway.example", path: "/api/v2/account-details", headers })
        .on("response", (response) => response.resume().once("end", () => resolve(response.statusCode)))
        .on("error", reject)
        .end(),
    ),
    "fetch with a dot after the name": (await fetch(WITH_DOT, { headers })).status,
    "https with a dot after the name": await call(https, WITH_DOT),
    "another host by fetch": (await fetch(`${elsewhere}/not-there`)).status,
    "another host by http": await call(http, `${elsewhere}/not-there`),
  }),
);
process.exit();
