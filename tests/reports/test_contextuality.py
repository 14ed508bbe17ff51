"""The page of a `context` record."""

import re
from dataclasses import replace

import context_record
import pytest
from tests.reports.context_by_layer import example

from wordworth.errors import BadInput
from wordworth.records import read
from wordworth.reports import render


def test_a_page_is_the_same_before_and_after_saving(tmp_path):
    record = example()
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == render(record)


def test_names_of_models_are_escaped_and_many_models_fit():
    models = tuple((f"<i>model {n} with a long name", 4 + n) for n in range(7))
    page = render(example(models))
    assert "<i>model" not in page
    assert page.count("way from the input layer to the top") >= 10


def test_warnings_method_and_words_are_on_the_page():
    page = render(example())
    for words in ("Mind this.", "Thus.", "most changed by context, layer 0", "Measures and their nulls"):
        assert words in page


def test_several_models_are_answered_in_a_list_and_one_in_a_sentence():
    record = example()
    assert '<p class="sentences">So it is.</p>' in render(record)
    several = replace(record, findings=[replace(record.findings[0], text="m: low.\nn: high."), *record.findings[1:]])
    answer = render(several).split('<ul class="sentences">')[1].split("</ul>")[0]
    assert re.findall("<li>(.*)</li>", answer) == ["m: low.", "n: high."]


def test_which_words_are_listed_is_said():
    page = render(replace(example(), settings={"contexts": 5}))
    assert "Only words in 20 or more different sentences" in page
    assert "the measures count words from 5 on" in page


def test_settings_are_called_what_they_are():
    page = render(replace(example(), settings={"sentences": 5000, "limit": None, "seed": 3}))
    rows = page.split("<summary>Settings</summary>")[1].split("</tbody>")[0].split("<tr")[2:]
    told = dict(re.findall(r'class="value">(.*?)</span>', row) for row in rows)
    assert told["sentences drawn for similarity within sentences, at most"] == "5000"
    assert told["different sentences read at most"] == "all"
    assert told["seed"] == "3"


def test_a_record_without_its_words_has_a_page_without_that_section():
    record = example()
    assert "Dashed grey" in render(record)
    page = render(replace(record, tables={n: t for n, t in record.tables.items() if n not in {"words", "published"}}))
    assert "Dashed grey" not in page
    assert "most changed by context" not in page
    assert "Which words" not in page
    assert "2019</text>" not in page


def test_a_record_without_its_layers_has_none():
    record = example()
    with pytest.raises(BadInput, match="lacks 'layers'"):
        render(replace(record, tables={n: t for n, t in record.tables.items() if n != "layers"}))


def test_negative_numbers_have_a_true_minus_sign():
    cells = re.findall(r'<span class="value">([^<]*)</span>', render(context_record.example()))
    assert [cell for cell in cells if re.fullmatch(r"-[\d.]+", cell)] == []
    assert [cell for cell in cells if re.fullmatch(r"−[\d.]+", cell)]
