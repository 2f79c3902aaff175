"""Sells airtime, and tells a refused order from one with an unknown outcome: only a refused order may be sent again."""

import base64
import json
import urllib.error
import urllib.request
from http.client import HTTPException


class TopUps:
    def __init__(self, base_url, key, secret):
        self._base_url = base_url
        self._authorization = "Basic " + base64.b64encode(f"{key}:{secret}".encode()).decode()
        self._reports = {}

    def sell(self, phone_number, amount):
        body = json.dumps({"phone_number": phone_number, "amount": amount}).encode()
        headers = {"Authorization": self._authorization, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._base_url}/airtime", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return {"outcome": "accepted", "request_id": json.load(answer)["request_id"]}
        except urllib.error.HTTPError as refusal:
            return {"outcome": "refused", "description": json.load(refusal)["description"]}
        except (OSError, HTTPException, ValueError):
            return {"outcome": "unknown"}

    def report(self, callback):
        """Handles a callback. A repeated callback changes nothing."""
        paid = callback["result_code"] == 200
        self._reports.setdefault(callback["request_id"], {"paid": paid, "charge": callback["charge"]})

    def report_of(self, request_id):
        return self._reports.get(request_id)

    @property
    def spent(self):
        return sum(report["charge"] for report in self._reports.values())
