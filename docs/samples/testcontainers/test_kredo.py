# pip install testcontainers pytest
import base64
import json
import urllib.request

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy


# region container
@pytest.fixture(scope="session")
def base_url():
    kredo = (
        DockerContainer("kredo:0.1.0")
        .with_exposed_ports(8254)
        .with_env("KREDO_CALLBACK_URL", "http://host.docker.internal:3000/hooks")
        .with_kwargs(extra_hosts={"host.docker.internal": "host-gateway"})
        .waiting_for(HttpWaitStrategy(8254, "/readyz"))
    )
    with kredo:
        yield f"http://{kredo.get_container_host_ip()}:{kredo.get_exposed_port(8254)}/api/v2"
# endregion


def test_sells_a_top_up(base_url):
    credentials = base64.b64encode(b"sandbox-key:sandbox-secret").decode()
    body = json.dumps({"phone_number": "254712345678", "amount": "100"}).encode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}

    with urllib.request.urlopen(urllib.request.Request(f"{base_url}/airtime", body, headers)) as answer:
        assert answer.status == 200
