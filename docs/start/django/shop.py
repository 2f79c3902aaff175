"""A Django project in one file. Start it with: python3 shop.py runserver --noreload 3000"""

import base64
import json
import os
import re
import sys
import urllib.error
import urllib.request
from http.client import HTTPException

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

settings.configure(DEBUG=True, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="local", USE_TZ=True)
django.setup()

BASE_URL = os.environ.get("KREDO_BASE_URL", "http://127.0.0.1:8254/api/v2")
KEY, SECRET = os.environ.get("KREDO_CONSUMER_KEY", "sandbox-key"), os.environ.get("KREDO_CONSUMER_SECRET", "sandbox-secret")

# Top-ups by their reference, and callbacks by the gateway's request_id. A real shop has a model for each.
top_ups, callbacks = {}, {}


@csrf_exempt
@require_POST
def sell(request):
    body = json.loads(request.body)
    reference = body["reference"]
    order = {"phone_number": international(body["phone_number"]), "amount": str(body["amount"])}
    top_up = {"reference": reference, **order, "status": "unknown"}
    # The same order again, such as a double click, gets the first answer.
    if top_ups.setdefault(reference, top_up) is not top_up:
        return JsonResponse(top_ups[reference])
    status, answer = send("airtime", order)
    if answer is not None and answer.get("status_code") == 200:
        top_up.update(status="sent", request_id=answer["request_id"])
    elif answer is not None and status <= 500:
        top_up.update(status="refused")
    # Otherwise there was no complete response, or a proxy's: the outcome is unknown. Never send the order again; a person checks the balance.
    return JsonResponse(top_up, status=201)


def international(typed):
    """Write a number as the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001."""
    return re.sub(r"^0", "254", re.sub(r"\D", "", str(typed)))


def send(operation, order):
    credentials = base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{BASE_URL}/{operation}", json.dumps(order).encode(), headers)
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=10)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            return answer.status, json.load(answer)
    except (OSError, HTTPException, ValueError):
        return None, None


# region receive
# Without csrf_exempt, Django answers every callback with 403.
@csrf_exempt
@require_POST
def receive(request):
    callback = json.loads(request.body)
    # The first callback counts. It may come before the gateway's response to the order.
    callbacks.setdefault(callback["request_id"], callback)
    return HttpResponse()
# endregion


def show(request, reference):
    if reference not in top_ups:
        raise Http404
    top_up = top_ups[reference]
    callback = callbacks.get(top_up.get("request_id"))
    if callback is None:
        return JsonResponse(top_up)
    is_paid = int(callback["result_code"]) == 200
    return JsonResponse({**top_up, **({"status": "paid", "charge": callback["charge"]} if is_paid else {"status": "failed"})})


urlpatterns = [path("top-ups", sell), path("top-ups/<reference>", show), path("hooks", receive)]

if __name__ == "__main__":
    sys.modules.setdefault("shop", sys.modules[__name__])
    execute_from_command_line(sys.argv)
