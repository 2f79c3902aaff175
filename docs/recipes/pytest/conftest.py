# region sandbox
import json
import os
import urllib.request

import pytest

from top_ups import TopUps


class Account:
    """An account of the sandbox that `kredo exec` started: a wallet, a clock and credentials of its own."""

    def __init__(self, **options):
        opened = _control("POST", "accounts", {"balance": "500.00", "clock": "manual", **options})
        self.key, self.secret = opened["consumer_key"], opened["consumer_secret"]
        self.call("PUT", "callbacks", {"airtime": "kredo:sink"})

    def call(self, method, path, body=None):
        return _control(method, f"accounts/{self.key}/{path}", body)

    def advance(self, by):
        """Moves time on; answers the callbacks that were sent meanwhile, in order."""
        return [json.loads(sent["body"]) for sent in self.call("POST", "clock/advance", {"by": by})["fired"]]


def _control(method, path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['KREDO_ADMIN_TOKEN']}", "Content-Type": "application/json"}
    text = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{os.environ['KREDO_URL']}/__admin/{path}", text, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.fixture
def account():
    return Account()


@pytest.fixture
def top_ups(account):
    return TopUps(os.environ["KREDO_BASE_URL"], account.key, account.secret)
# endregion
