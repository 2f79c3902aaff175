/** As long as the gateway's own acknowledgment. */
export const ACKNOWLEDGMENT = JSON.stringify({
  status_code: 200,
  description: "Request accepted for processing.",
  request_id: "7f0c1d5e-3a52-4c1b-9d57-0c2a6b1e9f44",
});
