"""The page of an `attention` record: maps, tables that need no script, and text that stays text."""

import re

import numpy as np
import pytest
from caption_checks import CAPTION_CHECKS
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.test_attention_maps import softmax_maps, some_maps
from tests.reports.attention_data import PAYLOAD, data, payload
from tests.reports.elements import elements

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.records import Record, read
from wordworth.reports import render, render_file
from wordworth.studies.attention.study import record_of
from wordworth.studies.attention.tables import tables_of


def record(*models, units: str = "words", random=None):
    return record_of(models or [some_maps()], {"name": "one text"}, {"units": units}, {}, random)


def beside_random_weights():
    return record(random=tables_of([some_maps(3).by_words()]))


def of_two_models(**changes):
    return record(some_maps(0, name="before", **changes), some_maps(1, name="after", **changes))


def without_special_tokens():
    return of_two_models(special=np.zeros(5, bool))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("made", [record, beside_random_weights, without_special_tokens, of_two_models])
def test_the_record_holds_the_sentences_of_its_charts(made, check):
    check(made())


def test_maps_and_a_table_of_every_head_are_on_the_page():
    page = render(record())
    assert len(payload(page)[0]["maps"]) == 2
    table = page.partition("Every head, as layer-head")[2].partition("</table>")[0]
    assert table.count('<th scope="row"') == 6
    assert "2-3" in table
    assert "to special tokens" in table
    assert "undo" in page


def test_heads_stand_beside_random_weights_without_a_second_set_of_maps():
    page = render(beside_random_weights())
    assert len(payload(page)) == 1
    table = page.partition("Heads beside random weights")[2].partition("</table>")[0]
    assert all(label in table for label in ("entropy, in nats", "to special tokens", "to the next token"))
    assert "with random weights at most" in page
    assert "with random weights" in page.partition("What each token receives")[2].partition("</table>")[0]
    assert "Heads beside random weights" not in render(record())


def test_elements_are_nested_and_every_control_has_a_name():
    parts = elements(render(record()))
    ids = [part.attributes["id"] for part in parts if "id" in part.attributes]
    assert len(ids) == len(set(ids))
    controls = [part for part in parts if part.name in {"select", "input"}]
    assert len(controls) == 10
    assert all("label" in part.inside for part in controls)
    assert next(part.name for part in parts if part.name in {"h1", "h2"}) == "h1"


def test_two_models_stand_side_by_side_with_their_difference():
    page = render(of_two_models())
    assert page.count('class="panel"') == 2
    assert "The two differ most in layer" in page
    assert "difference" in page


def test_two_models_open_at_the_head_in_which_they_differ_most_and_one_as_ever():
    made = of_two_models()
    rows = [row for row in made.tables["heads"].rows() if row["model"] == "before"]
    top = max(rows, key=lambda row: row["difference"])
    assert data(render(made))["start"] == {"layer": top["layer"], "head": top["head"]}
    assert f"The two differ most in layer {top['layer']}, head {top['head']}." in made.verdict
    assert data(render(record()))["start"] is None
    assert data(render(record(some_maps(0, name="before"), some_maps(0, name="after"))))["start"] is None


def test_a_record_that_was_read_has_the_tables_and_says_where_the_maps_are(tmp_path):
    record().save(tmp_path / "record.json")
    page = render(read(tmp_path / "record.json"))
    assert "run the study again to draw them" in page
    assert "Every head, as layer-head" in page
    assert PAYLOAD.search(page) is None


def test_without_special_tokens_nothing_is_said_of_them():
    page = render(record(some_maps(special=np.zeros(5, bool))))
    assert "Attention to special tokens" not in page
    assert "to special tokens" not in page.partition("Every head")[2].partition("</table>")[0]


def test_nothing_is_loaded_from_elsewhere():
    page = render(record())
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)


HOSTILE = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "</script><script>alert(1)</script>",
            "<!--<script>",
            "\"onload='x'",
            "]]>",
            "\u202eright to left\u202c",
            "שלום",
            "{{ 7*7 }}",
            "\u2028",
            "x" * 5_000,
            "\ud800",
            "&lt;",
        ]
    ),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(HOSTILE, min_size=1, max_size=5), HOSTILE)
def test_no_token_and_no_name_breaks_the_page(tokens, name):
    number = len(tokens)
    weights = softmax_maps(0, tokens=number)
    page = ww.page_from_attention({name: weights}, tokens, special=[False] * number)
    like = ww.page_from_attention({"n": weights}, ["a"] * number, special=[False] * number)
    for part in ("<script", "</script", "<!--", "<section", "</table", " onload="):
        assert page.count(part) == like.count(part)
    assert len(payload(page)[0]["tokens"]) == number
    assert max(map(len, payload(page)[0]["tokens"])) <= 201
    page.encode("utf-8")


def test_a_record_of_other_content_is_refused_without_a_traceback(tmp_path):
    Record("attention", {}, {"name": "t", "models": ["m"]}, {}, []).save(tmp_path / "record.json")
    with pytest.raises(BadInput):
        render_file(tmp_path / "record.json")
