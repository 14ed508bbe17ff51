"""Refusals in the form of either API."""

from typing import get_args

import pytest

from wordworth.serving.request_errors import Kind, Refusal


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_has_a_status_and_both_forms(kind):
    refusal = Refusal(kind, "why", param="input")
    assert 400 <= refusal.status < 600
    assert set(refusal.as_openai()["error"]) == {"message", "type", "param", "code"}
    assert refusal.as_tei()["error"] == "why"


def test_who_may_try_again_hears_when_and_who_lacks_a_key_how():
    assert Refusal("overloaded", "full", retry_after=3).headers == {"retry-after": "3"}
    assert Refusal("key", "no key").headers == {"www-authenticate": "Bearer"}
