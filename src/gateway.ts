import "./node-version.js";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway/start-gateway.ts";
