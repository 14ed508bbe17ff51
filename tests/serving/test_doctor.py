"""`doctor` tells an address from a checkpoint."""

import pytest

from wordworth.serving.doctor import is_address


@pytest.mark.parametrize(
    ("model", "address"), [("http://x", True), ("HTTPS://x:8", True), ("minilm", False), ("./http", False), (5, False)]
)
def test_what_begins_like_an_address_is_one(model, address):
    assert is_address(model) is address
