"""A tokenizer of unknown origin neither blows a text up, nor runs for ever, nor ends the process."""

import base64
import threading

import pytest

from wordworth.errors import BadInput
from wordworth.text import tokenizer_limits
from wordworth.text.tokenizer_limits import check_growth, run_with_time_limit, translate_panics


def replace(content, **pattern):
    return {"type": "Replace", "pattern": pattern, "content": content}


def table(form):
    """A normalisation table without tries that turns a character into `form`."""
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(bytes(4) + form + b"\0").decode()}


HARMLESS = {
    "none": None,
    "lower case": {"type": "Lowercase"},
    "quotes": replace('"', String="``"),
    "a space to a mark": replace("\u2581", Regex=" {2,}"),
    "removal": replace("", Regex=".*"),
    "a short prefix": {"type": "Prepend", "prepend": "\u2581"},
    "sixteen for one": replace("x" * 16, String="a"),
    "a table": table(b"ffi"),
    "no table at all": {"type": "Precompiled", "precompiled_charsmap": "?"},
    "a sequence": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, replace("ab", String="a")]},
}
SWELLING = {
    "seventeen for one": replace("x" * 17, String="a"),
    "between all characters": replace("x" * 16, Regex="a*"),
    "a long prefix": {"type": "Prepend", "prepend": "x" * 16},
    "a table of long forms": table(b"x" * 257),
    "five times five": {
        "type": "Sequence",
        "normalizers": [replace("x" * 5, String="a"), replace("y" * 5, String="x")],
    },
    "inside a sequence": {
        "type": "Sequence",
        "decoders": [{"type": "Sequence", "decoders": [replace("x" * 17, String="a")]}],
    },
}


@pytest.mark.parametrize("part", ["normalizer", "decoder"])
@pytest.mark.parametrize("rule", HARMLESS.values(), ids=HARMLESS)
def test_rules_of_real_tokenizers_pass(part, rule):
    check_growth({part: rule}, "tokenizer.json")


@pytest.mark.parametrize("part", ["normalizer", "decoder"])
@pytest.mark.parametrize("rule", SWELLING.values(), ids=SWELLING)
def test_rules_that_lengthen_a_text_more_than_16_times_are_refused(part, rule):
    with pytest.raises(BadInput, match=f"the rules of this {part} make a text more than 16 times as long") as error:
        check_growth({part: rule}, "tokenizer.json")
    assert error.value.where == "tokenizer.json"


class PanicException(BaseException):
    """What a panic in Rust is raised as."""


@pytest.mark.parametrize("error", [PanicException("index out of range\nat line 3"), Exception("no")])
def test_a_failure_of_the_library_is_an_error_of_the_file_in_one_line(error):
    with pytest.raises(BadInput, match="the tokenizers library breaks") as raised, translate_panics("tokenizer.json"):
        raise error
    assert "\n" not in raised.value.what
    assert raised.value.where == "tokenizer.json"


@pytest.mark.parametrize("error", [KeyboardInterrupt, BadInput("other"), KeyError("x")])
def test_other_errors_stay_what_they_are(error):
    with pytest.raises(type(error) if isinstance(error, Exception) else error), translate_panics("tokenizer.json"):
        raise error


def test_a_call_in_time_returns_its_result_and_raises_its_error():
    assert run_with_time_limit(lambda: 7, 10, "tokenizer.json") == 7
    with pytest.raises(ZeroDivisionError):
        run_with_time_limit(lambda: 1 // 0, 10, "tokenizer.json")


def test_a_call_that_does_not_end_is_left_behind(monkeypatch):
    monkeypatch.setattr(tokenizer_limits, "_SECONDS", 0.05)
    release = threading.Event()
    with pytest.raises(BadInput, match="do not finish on a text of 10 characters"):
        run_with_time_limit(lambda: release.wait(30), 10, "tokenizer.json")
    release.set()
