"""The sentences of charts stand in the record, and a page shows them from there."""

import html
import re
from dataclasses import replace

import context_record
import pytest
import senses_record
from changed import without_captions
from test_finetune import record as finetune_record
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, part, table
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.records import Finding, Record
from wordworth.reports import render
from wordworth.reports.captions import Caption, caption_of, with_captions
from wordworth.reports.finetune.record_view import captions as finetune_captions
from wordworth.reports.record_view import RecordView
from wordworth.studies.word_benchmarks import words


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    tables = [table(folder / "one.txt"), table(folder / "two.txt", part(*NAMES, noise=1.0))]
    return {
        "context": context_record.example(),
        "senses": senses_record.example(),
        "words": words(tables, data=write(folder / "wordsets", FILES), draws=100),
        "finetune": with_captions(finetune_record(), finetune_captions),
    }


KINDS = ("context", "senses", "words", "finetune")


def charts(page):
    """The title and the text of each chart of a page, by its name."""
    figures = re.findall(r'<figure class="chart" data-chart="([^"]+)">(.*?)</figure>', page, re.DOTALL)
    bare = {name: re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", " ", figure))) for name, figure in figures}
    return {name: text.replace("\u00a0", " ") for name, text in bare.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_record_holds_the_sentences_of_every_chart_of_its_page(records, kind):
    shown = charts(render(records[kind]))
    captions = {f.name.removeprefix("caption."): f for f in records[kind].findings if f.name.startswith("caption.")}
    assert captions.keys() == shown.keys()
    for name, caption in captions.items():
        for sentence in (caption.text, *caption.numbers["notes"], caption.numbers["absent"]):
            assert sentence in shown[name], name


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_an_earlier_record_without_these_sentences_is_the_same(records, kind):
    assert render(without_captions(records[kind])) == render(records[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_shows_the_sentences_that_the_record_holds_and_writes_none_of_its_own(records, kind):
    findings = [
        replace(f, text=f"Title of {f.name}", numbers={**f.numbers, "notes": [f"Note of {f.name}"]})
        if f.name.startswith("caption.")
        else f
        for f in records[kind].findings
    ]
    for name, text in charts(render(replace(records[kind], findings=findings))).items():
        assert f"Title of caption.{name}" in text
        assert f"Note of caption.{name}" in text or "svg" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_that_has_lost_the_sentences_of_one_chart_is_refused_in_one_line(records, kind):
    names = [f.name for f in records[kind].findings if f.name.startswith("caption.")]
    findings = [f for f in records[kind].findings if f.name != names[0]]
    with pytest.raises(BadInput, match=re.escape(names[0])):
        render(replace(records[kind], findings=findings))


def test_a_record_that_has_its_sentences_keeps_them():
    record = Record("any", {}, {}, {}, [Finding("caption.curves", "As written then.")])
    assert with_captions(record, lambda _: {"curves": Caption("As written now.")}) is record


def test_what_the_clock_decides_stands_with_the_timings():
    bare = Record("any", {}, {}, {}, [], timings={"seconds": {"all": 1.0}})
    record = with_captions(bare, lambda _: {"curves": Caption("Who leads")}, lambda _: {"cost": Caption("At a price")})
    view = RecordView.of(record)
    assert [caption_of(view, chart).title for chart in ("curves", "cost")] == ["Who leads", "At a price"]
    assert record.finding("caption.curves").text == "Who leads"
    assert record.timings["captions"]["cost"]["title"] == "At a price"
    assert record.timings["seconds"] == {"all": 1.0}
