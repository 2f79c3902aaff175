import { startGateway } from "kredo/gateway";

const gateway = await startGateway({
  port: Number(process.env.PORT ?? 8254),
  accounts: [{ consumer_key: "shop", consumer_secret: "secret", balance: "500.00" }],
});
console.log(`Gateway: ${gateway.url}`);
process.once("SIGINT", () => gateway.close());
