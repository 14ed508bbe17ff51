import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.cli.main_process_output import (
    escape_controls,
    escape_unencodable,
    is_main_process,
    notice,
    say,
    say_json,
)

ESCAPE = "\x1b[31mred\x07"


@given(st.text())
def test_no_control_character_but_tab_and_line_end_is_left_and_other_text_stays(text):
    escaped = escape_controls(text)
    left = {character for character in escaped if ord(character) < 32 or 127 <= ord(character) < 160}
    assert left <= {"\t", "\n"}
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(escaped)
    assert escape_controls(escaped) == escaped
    if text.isprintable():
        assert escaped == text


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=8), max_size=3))
def test_json_that_is_printed_is_the_same_json(value):
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        say_json(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode())
    assert json.loads(out.getvalue()) == json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    assert "\x1b" not in out.getvalue()


def test_each_control_character_is_spelt_out_but_tab_and_line_end():
    controls = [chr(code) for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
    assert [character for character in controls if escape_controls(character) == character] == ["\t", "\n"]


def test_a_line_is_written_where_it_belongs_without_what_a_terminal_would_obey(capsys):
    say(ESCAPE)
    say(3, err=True)
    assert capsys.readouterr() == ("\\x1b[31mred\\x07\n", "3\n")


@pytest.mark.parametrize(("rank", "speaks"), [(None, True), ("0", True), ("1", False), ("10", False)])
def test_of_several_processes_only_the_first_gives_advice(rank, speaks, monkeypatch, capsys):
    monkeypatch.delenv("RANK", raising=False)
    if rank is not None:
        monkeypatch.setenv("RANK", rank)
    assert is_main_process() == speaks
    notice("mind this")
    assert capsys.readouterr() == ("", "wordworth: mind this\n" if speaks else "")


def test_a_character_that_the_terminal_lacks_is_spelt_out(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    escape_unencodable()
    print("a…b", flush=True)  # noqa: T201 - it is about printing
    assert raw.getvalue() == b"a\\u2026b\n"
