# region account
import pytest

import kredo
from top_ups import TopUps


@pytest.fixture
def account():
    return kredo.connect().open_account(balance="500.00", clock="manual", callbacks={"airtime": "kredo:sink"})


@pytest.fixture
def top_ups(account):
    return TopUps(account.base_url, account.key, account.secret)
# endregion
