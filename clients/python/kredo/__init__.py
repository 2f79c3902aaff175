"""A client of the Kredo sandbox's control API. Needs only Python 3.9 or newer. Copy this folder into your tests.

    sandbox = kredo.connect()                       # reads KREDO_URL and KREDO_ADMIN_TOKEN, as `kredo exec` sets them
    account = sandbox.open_account(balance="500.00", clock="manual", callbacks={"airtime": "kredo:sink"})
    ...                                             # your code calls account.base_url with account.key and account.secret
    for attempt in account.advance("5s"):
        print(attempt["body"])
"""

from __future__ import annotations

import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Literal, Mapping, Optional, TypedDict, Union, cast


# A longer page waits in the sandbox until those of other callers are ready.
_ROWS_OF_A_PAGE = 1_000


class Wallet(TypedDict):
    """KES."""

    available: float
    held: float
    ledger: float


class LedgerEntry(TypedDict):
    number: int
    at: str
    kind: Literal["opening", "brought_forward", "top_up", "hold", "charge", "release", "refund", "adjustment", "fee"]
    amount: float
    balance: float
    available: float


class Attempt(TypedDict):
    """One attempt to deliver a callback. `body` is the text that was sent, or None if its transaction was evicted. `answered` is the HTTP
    status of the receiver's response."""

    request_id: str
    attempt: int
    at: str
    url: str
    body: Optional[str]
    answered: Optional[int]
    acknowledged: bool
    explanation: str


class Transaction(TypedDict):
    """An accepted request. Airtime also has `amount`; SMS has `message` and more (see schema/openapi.json)."""

    request_id: str
    operation: Literal["airtime", "sms"]
    state: Literal["queued", "succeeded", "failed", "reversed", "stuck"]
    phone_number: str
    carrier: Literal["safaricom", "airtel", "telkom"]
    hold: float
    charge: Optional[float]
    result_code: Optional[int]
    result_desc: Optional[str]
    account_balance: Optional[float]


class Request(TypedDict):
    """A request that reached the gateway. `status_code` is 0 if a scenario broke the connection before acceptance."""

    request_id: str
    operation: Literal["airtime", "sms", "account-details", "unknown"]
    at: str
    status_code: int
    description: str


class Message(TypedDict):
    """An SMS, as the phone received it."""

    request_id: str
    phone_number: str
    sender_id: str
    message: str
    parts: int
    delivered_at: str


class Finding(TypedDict):
    """A defect, risk, cost or hint in your backend's behaviour."""

    id: str
    severity: Literal["defect", "risk", "cost", "hint"]
    title: str
    seen: str
    why: str
    repair: str
    count: int


class KredoError(Exception):
    """The control API refused a call. Has the HTTP status and the whole response."""

    def __init__(self, status: int, answer: Any) -> None:
        problem = answer if isinstance(answer, dict) else {}
        super().__init__(f"{status}: {problem.get('problem', answer)}; {problem.get('repair', '')}".rstrip("; "))
        self.status = status
        self.answer = answer


def connect(url: Optional[str] = None, admin_token: Optional[str] = None) -> Sandbox:
    """Connects to a running sandbox. The defaults are KREDO_URL (or http://127.0.0.1:8254) and KREDO_ADMIN_TOKEN."""
    return Sandbox(url or os.environ.get("KREDO_URL") or "http://127.0.0.1:8254", admin_token or os.environ.get("KREDO_ADMIN_TOKEN"))


class Sandbox:
    def __init__(self, url: str, admin_token: Optional[str] = None) -> None:
        self.url = url.rstrip("/")
        self._admin_token = admin_token
        # A proxy does not reach this machine's own addresses.
        self._opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if _is_loopback(self.url) else []))

    def open_account(self, **options: Any) -> Account:
        """Opens an account with its own wallet, clock and credentials. The options are the keys of `accounts` in the config file."""
        opened = self._send("POST", "accounts", options, expected="consumer_key")
        return Account(self, opened["consumer_key"], opened["consumer_secret"])

    def account(self, key: str = "default") -> Account:
        """Finds an existing account; "default" is the first one."""
        found = self._send("GET", f"accounts/{_quote(key)}", expected="consumer_key")
        return Account(self, found["consumer_key"], found["consumer_secret"])

    def call(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        """Makes any call of the control API. The path is relative to /__admin/. Returns the parsed JSON, or text if the response is not JSON."""
        return self._send(method, path, body, content_type)

    def _send(self, method: str, path: str, body: Any = None, content_type: str = "application/json", expected: Optional[str] = None) -> Any:
        headers = {"Content-Type": content_type}
        if self._admin_token is not None:
            headers["Authorization"] = f"Bearer {self._admin_token}"
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        sent = None if text is None else text.encode()
        request = urllib.request.Request(f"{self.url}/__admin/{path}", sent, headers, method=method)
        try:
            with self._opener.open(request) as response:
                status, answer = response.status, _decode(response.read())
        except urllib.error.HTTPError as refusal:
            status, answer = refusal.code, _decode(refusal.read())
        except (OSError, http.client.HTTPException) as silence:
            reason = str(getattr(silence, "reason", silence)).strip()
            raise ConnectionError(f"no sandbox answers at {self.url} ({reason}); start one with kredo serve, or correct KREDO_URL") from None
        if status >= 400 and isinstance(answer, dict) and "problem" in answer:
            raise KredoError(status, answer)
        if status >= 400 or (expected is not None and not (isinstance(answer, dict) and expected in answer)):
            raise ConnectionError(f"{self.url} answered {status} but is not a Kredo sandbox; correct KREDO_URL")
        return answer


class Account:
    """One account: the settings for your code, and everything that the control API knows about it. Every list is whole, unless you pass a
    `limit`: then it has only its first rows."""

    def __init__(self, sandbox: Sandbox, key: str, secret: str) -> None:
        self.sandbox = sandbox
        self.key = key
        self.secret = secret
        self.base_url = f"{sandbox.url}/api/v2"

    def call(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        """Makes any call of the control API for this account. The path is relative to /__admin/accounts/KEY/."""
        return self.sandbox.call(method, f"accounts/{_quote(self.key)}/{path}", body, content_type)

    def advance(self, by: str) -> list[Attempt]:
        """Advances a manual clock by a duration such as "10m", or to the "next" thing due. Returns the first 1,000 callback attempts, in
        order; sent() lists all."""
        advanced = self.call("POST", "clock/advance", {"to": "next"} if by == "next" else {"by": by})
        return cast("list[Attempt]", advanced["fired"])

    def drain(self, within: str = "30s") -> None:
        """Waits until no callback is being sent."""
        self.call("POST", "drain", {"within": within})

    def wallet(self) -> Wallet:
        return cast(Wallet, self.call("GET", "wallet"))

    def top_up(self, amount: str) -> Wallet:
        """Adds money."""
        return cast(Wallet, self.call("POST", "wallet/top-ups", {"amount": amount}))

    def set_balance(self, balance: str) -> Wallet:
        """Sets the available balance. Holds stay as they are."""
        return cast(Wallet, self.call("PUT", "wallet", {"balance": balance}))

    def ledger(self, limit: Optional[int] = None) -> list[LedgerEntry]:
        """Oldest entry first."""
        return self._items("ledger", limit)

    def set_callbacks(self, **change: Any) -> None:
        """Sets the callback URLs, such as airtime="http://localhost:3000/hooks". "kredo:sink" stores callbacks for `received`."""
        self.call("PUT", "callbacks", change)

    def sent(self, limit: Optional[int] = None) -> list[Attempt]:
        """The callback attempts, newest first."""
        return self._items("callbacks/sent", limit)

    def received(self, limit: Optional[int] = None) -> list[Attempt]:
        """The callbacks that `kredo:sink` received, newest first."""
        return self._items("callbacks/received", limit)

    def scenario(self, scenario: Union[str, Mapping[str, Any]]) -> None:
        """Starts a scenario: the name of a shipped one, YAML text, or the content of a scenario file as a mapping."""
        if isinstance(scenario, str) and "\n" in scenario:
            self.call("POST", "scenarios", scenario, "application/yaml")
        else:
            self.call("POST", "scenarios", {"name": scenario} if isinstance(scenario, str) else dict(scenario))

    def end_scenarios(self) -> None:
        self.call("DELETE", "scenarios")

    def transactions(self, limit: Optional[int] = None, **match: object) -> list[Transaction]:
        """Newest first; match by operation, phone_number, state or since."""
        return self._items("transactions", limit, match)

    def transaction(self, request_id: str) -> Transaction:
        return cast(Transaction, self.call("GET", f"transactions/{_quote(request_id)}"))

    def requests(self, limit: Optional[int] = None, **match: object) -> list[Request]:
        """Newest first; match by operation, phone_number, amount, sender_id, message or status_code."""
        return self._items("requests", limit, match)

    def count_requests(self, **match: object) -> int:
        """Match as for `requests`."""
        return cast(int, self.call("GET", f"requests/count{_query(match)}")["count"])

    def verify(self, count: Union[int, Mapping[str, int]] = 1, within: str = "0", **match: object) -> None:
        """Waits (wall time) until `count` requests match: a number, or bounds such as {"gte": 1}. Match as for `requests`. Raises a
        KredoError that names the nearest request and its first difference."""
        wanted = {name: str(value) for name, value in match.items()}
        self.call("POST", "requests/verify", {"match": wanted, "count": count, "within": within})

    def messages(self, phone_number: Optional[str] = None, limit: Optional[int] = None) -> list[Message]:
        """Delivered SMS, newest first."""
        return self._items("messages", limit, {} if phone_number is None else {"phone_number": phone_number})

    def findings(self, severity: Optional[str] = None, limit: Optional[int] = None) -> list[Finding]:
        """Defects first."""
        return self._items("findings", limit, {} if severity is None else {"severity": severity})

    def report(self, format: Literal["json", "junit", "html"] = "json") -> Any:
        """Returns parsed JSON, or the text of a JUnit XML file or an HTML page."""
        return self.call("GET", f"report?format={format}")

    def reset(self) -> None:
        """Restores the account to how it was opened: wallet, journal, counters and clock."""
        self.call("POST", "reset", {})

    def close(self) -> None:
        """Deletes the account. Does nothing if it is gone."""
        try:
            self.sandbox.call("DELETE", f"accounts/{_quote(self.key)}")
        except KredoError as refusal:
            if refusal.status != 404:
                raise

    def __enter__(self) -> Account:
        return self

    def __exit__(self, failure: Optional[type[BaseException]], *_: object) -> None:
        """Closes the account. An error of the block that ends is never hidden by one of closing."""
        try:
            self.close()
        except (KredoError, OSError):
            if failure is None:
                raise

    def _items(self, path: str, limit: Optional[int], match: Mapping[str, object] = {}) -> list[Any]:
        """Reads a list to its end or its limit, page by page."""
        items: list[Any] = []
        query = dict(match)
        while True:
            query["limit"] = _ROWS_OF_A_PAGE if limit is None else min(limit - len(items), _ROWS_OF_A_PAGE)
            page = self.call("GET", path + _query(query))
            items += page["items"]
            query["cursor"] = page["next"]
            if page["next"] is None or len(items) == limit:
                return items


def _query(query: Mapping[str, Any]) -> str:
    return "?" + urllib.parse.urlencode(query) if query else ""


def _quote(segment: str) -> str:
    return urllib.parse.quote(segment, safe="")


def _is_loopback(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _decode(body: bytes) -> Any:
    text = body.decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text
