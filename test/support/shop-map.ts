/** How orders are placed in the sound and the naive backend, and read again. */
export function shopMap(url: string): string {
  const form = 'id: "{reference}", customer: "{reference}"';
  return `version: 1
application: ${url}
order:
  airtime:
    request: { url: "{app}/orders", json: { ${form}, kind: airtime, phone_number: "{phone_number}", amount: "{amount}.00" } }
    id: $.id
  sms:
    request: { url: "{app}/orders", json: { ${form}, kind: sms, phone_number: "{phone_number}", message: "{message}" } }
    id: $.id
status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: paid, failed: failed, open: [queued, sending, unknown, accepted] }
books:
  request: { url: "{app}/books?customer={reference}" }
  list: "$.charges[*]"
  request_id: $.request_id
  amount: $.charge
callbacks: { airtime: "{app}/hooks/airtime?token=rehearsal", sms: "{app}/hooks/sms?token=rehearsal" }
tick: { request: { method: POST, url: "{app}/resume" } }
settle: 3s
`;
}
