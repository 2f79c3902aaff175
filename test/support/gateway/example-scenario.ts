/** A scenario of every kind of rule, with a setup and a timeline. */
export const EXAMPLE_SCENARIO = `# yaml-language-server: $schema=../schema/scenario.schema.json
version: 1
name: bad-afternoon
description: Airtel goes down for half a minute; acknowledgments get slow; one is lost after the money moved.
seed: 7
setup:
  wallet: { balance: "500.00" }
rules:
  - name: Airtel is down, its backlog drains afterwards
    when: { operation: airtime, carrier: airtel, during: { from: 0s, to: 30s } }
    then: { result: { hold_until: 30s } }
  - name: two refusals, then it works
    when: { operation: sms, first: 2, per: phone_number }
    then: { refuse: 429 }
  - name: every third acknowledgment is slow
    when: { every: 3 }
    then: { ack: { delay: { uniform: [2s, 6s] } } }
    continue: true
  - name: the acknowledgment is lost after the money moved
    when: { phone_number: "25471*", amount: { gte: 100 }, nth: 1 }
    then: { connection: reset_after_accept }
  - name: some reports come twice, the second contradicting the first
    when: { operation: sms, probability: 0.1 }
    then: { callback: { times: 2, gap: 500ms, contradict: true } }
timeline:
  - at: 60s
    do: { wallet: { balance: "3.00" } }
  - at: 90s
    do: { credentials: revoked }
`;
