import type { Carrier, Numbering } from "../domain/carrier.ts";
import type { CarrierSettings, GatewaySettings, ResultCodes, SenderIdRegistration } from "../domain/settings.ts";
import type { Config } from "./config-schema.ts";
import { DISCOUNT, DUPLICATE_WINDOW, GATEWAY, LATENCY, LIMITS, SMS_PRICE } from "./defaults.ts";

/** How the gateway behaves: what the config says, else what its profile implies, else the defaults. */
export function resolveGateway(config: Config): GatewaySettings {
  const profile = config.profile ?? "document";
  return {
    profile,
    httpStatus: config.http_status ?? GATEWAY.httpStatus,
    amountType: config.amount_type ?? GATEWAY.amountType,
    ucs2Concatenated: config.ucs2_concatenated ?? GATEWAY.ucs2Concatenated,
    maxSmsParts: config.max_sms_parts ?? GATEWAY.maxSmsParts,
    duplicateWindow: config.duplicate_window ?? DUPLICATE_WINDOW[profile],
    insufficientFunds: config.insufficient_funds ?? GATEWAY.insufficientFunds,
    chargeFailedSms: config.charge_failed_sms ?? GATEWAY.chargeFailedSms,
    resultCodes: resolveResultCodes(config.result_codes),
    carriers: resolveCarriers(config),
    numbering: resolveNumbering(config.numbers),
    senderIdRegistration: resolveRegistration(config.sender_id_registration),
    hints: config.hints ?? GATEWAY.hints,
  };
}

function resolveResultCodes(written: Config["result_codes"] = {}): ResultCodes {
  const { resultCodes } = GATEWAY;
  return {
    success: resultCodes.success,
    failed: written.failed ?? resultCodes.failed,
    rejected: written.rejected ?? resultCodes.rejected,
    notOnNetwork: written.not_on_network ?? resultCodes.notOnNetwork,
    timedOut: written.timed_out ?? resultCodes.timedOut,
    insufficientFunds: written.insufficient_funds ?? resultCodes.insufficientFunds,
  };
}

function resolveCarriers(config: Config): Record<Carrier, CarrierSettings> {
  return {
    safaricom: resolveCarrier(config, "safaricom"),
    airtel: resolveCarrier(config, "airtel"),
    telkom: resolveCarrier(config, "telkom"),
  };
}

function resolveCarrier({ carriers = {}, latency_ms: exactly }: Config, carrier: Carrier): CarrierSettings {
  const { discount = DISCOUNT, sms_price: smsPrice = SMS_PRICE, limits, latency } = carriers[carrier] ?? {};
  const exact = exactly === undefined ? {} : { airtime: { fixed: exactly }, sms: { fixed: exactly } };
  return { discount, smsPrice, limits: { ...LIMITS, ...limits }, latency: { ...LATENCY, ...latency, ...exact } };
}

function resolveNumbering(written: Config["numbers"] = {}): Numbering {
  const { numbering } = GATEWAY;
  return {
    portedShare: written.ported_share ?? numbering.portedShare,
    ported: written.ported ?? numbering.ported,
    prefixes: written.prefixes ?? numbering.prefixes,
  };
}

function resolveRegistration(written: Config["sender_id_registration"] = {}): SenderIdRegistration {
  const { senderIdRegistration } = GATEWAY;
  return {
    fee: written.fee ?? senderIdRegistration.fee,
    businessDays: { ...senderIdRegistration.businessDays, ...written.business_days },
    requireDocuments: written.require_documents ?? senderIdRegistration.requireDocuments,
  };
}
