import base64
import json
import urllib.request
from decimal import Decimal

import pytest

import kredo


@pytest.fixture
def account():
    with kredo.connect().open_account(balance="500.00", clock="manual", callbacks={"airtime": "kredo:sink", "sms": "kredo:sink"}) as account:
        yield account


def send(account, path, **order):
    credentials = base64.b64encode(f"{account.key}:{account.secret}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{account.base_url}/{path}", json.dumps(order).encode(), headers)) as answer:
        return json.load(answer)["request_id"]


def top_up(account, amount="100", phone_number="254712345678"):
    return send(account, "airtime", phone_number=phone_number, amount=amount)


def has_keys(shape, row):
    return set(shape.__annotations__) <= set(row)


def test_advances_the_clock_and_returns_the_callbacks(account):
    request_id = top_up(account)

    [attempt] = account.advance("5s")

    assert has_keys(kredo.Attempt, attempt)
    assert attempt["request_id"] == json.loads(attempt["body"])["request_id"] == request_id
    assert account.received() == [attempt]


def test_advances_to_what_is_due_next(account):
    top_up(account)

    assert account.advance("next") != account.advance("next")


def test_reads_and_changes_the_wallet(account):
    top_up(account)

    assert account.wallet() == {"available": 405, "held": 95, "ledger": 500}
    assert account.top_up("99.50")["available"] == 504.5
    assert account.set_balance("10")["available"] == 10
    assert [entry["kind"] for entry in account.ledger()] == ["opening", "hold", "top_up", "adjustment"]
    assert all(has_keys(kredo.LedgerEntry, entry) for entry in account.ledger())


def test_finds_transactions_and_requests(account):
    request_id = top_up(account)
    top_up(account, phone_number="254722345678")

    [found] = account.transactions(phone_number="2547123*")
    [request] = account.requests(phone_number="254712345678")

    assert has_keys(kredo.Transaction, found) and has_keys(kredo.Request, request)
    assert found["request_id"] == request["request_id"] == request_id
    assert account.transaction(request_id)["state"] == "queued"
    assert account.count_requests(operation="airtime") == 2


def test_reads_messages(account):
    send(account, "sms", phone_number="254712345678", message="Karibu", sender_id="SANDBOX")
    account.advance("1m")

    [message] = account.messages("254712345678")

    assert has_keys(kredo.Message, message)
    assert message["message"] == "Karibu"
    assert account.messages("254722345678") == []


@pytest.mark.parametrize(
    "scenario",
    [
        "duplicate-callbacks",
        "version: 1\nname: thrice\nrules:\n  - name: thrice\n    then: { callback: { times: 3 } }\n",
        {"version": 1, "name": "thrice", "rules": [{"name": "thrice", "then": {"callback": {"times": 3}}}]},
    ],
)
def test_starts_and_stops_scenarios(account, scenario):
    account.scenario(scenario)
    top_up(account)
    assert len(account.advance("1h")) == 3

    account.end_scenarios()
    top_up(account)
    assert len(account.advance("1h")) == 1


def test_reports_findings(account):
    account.set_callbacks(airtime="http://127.0.0.1:9/hooks")
    top_up(account)
    account.advance("1m")

    [finding] = account.findings("risk")
    assert account.findings("defect") == []

    assert has_keys(kredo.Finding, finding)
    assert finding["id"] == "callback-unreachable"
    assert account.report()["trials"]
    assert "<testsuites" in account.report("junit")


def test_resets_an_account_and_finds_it_by_its_key(account):
    top_up(account)

    account.reset()
    account.drain("1s")

    assert account.sandbox.account(account.key).secret == account.secret
    assert account.wallet()["available"] == 500


def test_deletes_an_account():
    sandbox = kredo.connect()
    with sandbox.open_account() as account:
        pass

    with pytest.raises(kredo.KredoError) as refusal:
        sandbox.account(account.key)
    assert refusal.value.status == 404


def test_says_what_is_wrong_and_how_to_fix_it(account):
    with pytest.raises(kredo.KredoError, match=r"^422: .*\bby\b.*; write"):
        account.advance("soon")


def test_verifies_requests_and_names_the_nearest(account):
    nearest = top_up(account, amount="50")

    account.verify(1, amount="50")
    with pytest.raises(kredo.KredoError, match=f'the nearest request, {nearest}, has amount "50.00", not "100.00"'):
        account.verify(1, phone_number="2547*", amount="100")


@pytest.mark.parametrize(
    "match",
    [
        {"operation": "airtime"},
        {"phone_number": "254712*"},
        {"phone_number": 254712345678},
        {"amount": "50"},
        {"amount": 50},
        {"amount": Decimal("50.00")},
        {"status_code": "200"},
        {"status_code": 200},
        {"sender_id": 20880},
        {"message": 2025},
    ],
)
def test_verifies_by_every_value_that_lists_requests(account, match):
    top_up(account, amount="50")
    top_up(account, amount="100", phone_number="254733345678")

    account.verify(len(account.requests(**match)), **match)
    assert account.count_requests(**match) == len(account.requests(**match))


def test_verifies_a_number_within_bounds(account):
    top_up(account)
    top_up(account)

    account.verify({"gte": 2}, operation="airtime")
    with pytest.raises(kredo.KredoError, match="^406: 2 requests match"):
        account.verify({"gt": 0, "lt": 2})


def test_reads_every_list_to_its_end_or_its_limit(account):
    account.scenario("version: 1\nname: tenfold\nrules:\n  - name: tenfold\n    then: { callback: { times: 10 } }\n")
    for order in range(101):
        send(account, "sms", phone_number="254712345678", message=str(order), sender_id="SANDBOX")
    account.advance("1h")

    transactions, requests, messages = account.transactions(), account.requests(operation="sms"), account.messages()
    sent, received, ledger = account.sent(), account.received(), account.ledger()

    assert [len({row["request_id"] for row in rows}) for rows in (transactions, requests, messages)] == [101, 101, 101]
    assert [len({(row["request_id"], row["attempt"]) for row in rows}) for rows in (sent, received)] == [1_010, 1_010]
    assert ledger[-1]["balance"] == account.wallet()["ledger"]
    assert account.transactions(limit=3) == transactions[:3]
    assert account.requests(limit=3, operation="sms") == requests[:3]
    assert account.messages("254712*", limit=3) == messages[:3]
    assert account.sent(limit=1_001) == sent[:1_001]
    assert account.received(limit=3) == received[:3]
    assert account.ledger(limit=3) == ledger[:3]


def test_says_which_address_did_not_answer():
    with pytest.raises(ConnectionError, match="no sandbox answers at http://127.0.0.1:1 .*kredo serve"):
        kredo.connect("http://127.0.0.1:1").open_account()
