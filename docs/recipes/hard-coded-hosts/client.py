import base64
import urllib.request

token = base64.b64encode(b"sandbox-key:sandbox-secret").decode()
request = urllib.request.Request("https://api.gateway.example/api/v2/account-details", headers={"Authorization": f"Basic {token}"})
print(urllib.request.urlopen(request, timeout=10).status)
