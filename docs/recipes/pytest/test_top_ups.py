import json


def test_knows_the_charge_once_the_callback_has_arrived(account, top_ups):
    sold = top_ups.sell("254712345678", "100")

    for attempt in account.advance("5s"):
        top_ups.report(json.loads(attempt["body"]))

    assert top_ups.report_of(sold["request_id"]) == {"paid": True, "charge": 95}
    assert account.wallet()["available"] == 405


def test_treats_a_lost_response_as_unknown_and_still_books_the_callback(account, top_ups):
    sold = top_ups.sell("254700000602", "100")

    for attempt in account.advance("5s"):
        top_ups.report(json.loads(attempt["body"]))

    assert sold == {"outcome": "unknown"}
    assert top_ups.spent == 95
    assert account.count_requests(operation="airtime") == 1


# region twice
def test_books_a_repeated_callback_only_once(account, top_ups):
    top_ups.sell("254700000302", "100")

    attempts = account.advance("1h")
    for attempt in attempts:
        top_ups.report(json.loads(attempt["body"]))

    assert len(attempts) == 2
    assert top_ups.spent == 95
# endregion


def test_says_why_it_was_refused(top_ups):
    assert top_ups.sell("254700000402", "100") == {"outcome": "refused", "description": "Insufficient funds."}
