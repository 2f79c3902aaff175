"""A Django project in one file. Start it with: python3 shop.py runserver --noreload 3000"""

import base64
import json
import os
import sys
import threading
import urllib.error
import urllib.request
from http.client import HTTPException

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

settings.configure(DEBUG=True, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="local", USE_TZ=True)
django.setup()

BASE_URL = os.environ.get("KREDO_BASE_URL", "http://127.0.0.1:8254/api/v2")
KEY, SECRET = os.environ.get("KREDO_CONSUMER_KEY", "sandbox-key"), os.environ.get("KREDO_CONSUMER_SECRET", "sandbox-secret")

# Top-ups by the gateway's request_id. A real shop has a model for them.
top_ups = {}
lock = threading.Lock()


# region send
@csrf_exempt
def shop(request):
    if request.method == "GET":
        return JsonResponse(list(top_ups.values()), safe=False)
    order = json.loads(request.body)
    top_up = {"phone_number": order["phone_number"], "amount": order["amount"], "status": "sent"}
    status, answer = send("airtime", {"phone_number": order["phone_number"], "amount": order["amount"]})
    if status is None:
        # No response: the outcome is unknown. Never send the order again; check the balance later.
        return JsonResponse({**top_up, "status": "unknown"}, status=202)
    if status != 200:
        # A refusal may have its validation_errors alone.
        return JsonResponse({**top_up, "status": "refused", "refusal": answer}, status=422)
    with lock:
        top_ups[answer["request_id"]] = top_up
    return JsonResponse(top_up, status=201)


def send(operation, order):
    credentials = base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{BASE_URL}/{operation}", json.dumps(order).encode(), headers), timeout=30) as answer:
            return 200, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)
    except (OSError, HTTPException, ValueError):
        return None, None
# endregion


# region receive
# Without csrf_exempt, Django answers every callback with 403.
@csrf_exempt
@require_POST
def receive(request):
    callback = json.loads(request.body)
    with lock:
        top_up = top_ups.get(callback["request_id"])
        # A repeated callback changes nothing.
        if top_up is not None and top_up["status"] == "sent":
            is_paid = int(callback["result_code"]) == 200
            top_up.update({"status": "paid", "charge": callback["charge"]} if is_paid else {"status": "failed"})
    return HttpResponse()


urlpatterns = [path("top-ups", shop), path("hooks", receive)]
# endregion

if __name__ == "__main__":
    sys.modules.setdefault("shop", sys.modules[__name__])
    execute_from_command_line(sys.argv)
