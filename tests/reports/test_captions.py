"""The sentences of charts stand in the record, and a page shows them from there."""

import context_record
import pytest
import senses_record
from caption_checks import CAPTION_CHECKS
from test_finetune import record as finetune_record
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, part, table
from tests.tasks.datasets.data_folder import write

from wordworth.records import Finding, Record
from wordworth.reports import PAGES
from wordworth.reports.captions import CAPTIONS, Caption, caption_of, with_captions
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
        "finetune": with_captions(finetune_record()),
    }


KINDS = ("context", "senses", "words", "finetune")


def test_every_kind_whose_page_has_charts_has_captions():
    without_charts = {"neighbours", "plan"}
    generic = {
        kind for kind in PAGES.names() if PAGES.builtin.get(kind, "").startswith("wordworth.reports.generic_page:")
    }
    assert set(CAPTIONS.builtin) == set(PAGES.builtin) - generic - without_charts


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_record_holds_the_sentences_of_its_charts(records, kind, check):
    check(records[kind])


@pytest.fixture
def written(monkeypatch):
    """A function that captions a record of a new kind, with captions that stay registered until the test ends."""

    def write(kind, **captions):
        monkeypatch.setitem(CAPTIONS.builtin, kind, "of this test")
        monkeypatch.setattr(CAPTIONS, "get", lambda _: lambda _: captions)
        return with_captions(Record(kind, {}, {}, {}, [], timings={"seconds": {"all": 1.0}}))

    return write


def test_a_caption_that_a_record_has_stays_and_one_that_it_lacks_is_added(written):
    record = written("counted-words", curves=Caption("As written then."))
    assert with_captions(record) is record
    CAPTIONS.get("counted-words")(record).update(curves=Caption("As written now."), cost=Caption("At a price"))
    texts = {finding.name: finding.text for finding in with_captions(record).findings}
    assert texts == {"caption.curves": "As written then.", "caption.cost": "At a price"}


def test_a_kind_without_captions_of_its_own_is_left_as_it_is():
    record = Record("uncaptioned", {}, {}, {}, [])
    assert with_captions(record) is record


def test_what_the_clock_decides_stands_with_the_timings(written):
    record = written("timed-words", curves=Caption("Who leads"), cost=Caption("At a price", timed=True))
    view = RecordView.of(record)
    assert [caption_of(view, chart).title for chart in ("curves", "cost")] == ["Who leads", "At a price"]
    assert [finding.name for finding in record.findings] == ["caption.curves"]
    assert record.timings["captions"]["cost"]["title"] == "At a price"
    assert record.timings["seconds"] == {"all": 1.0}


@pytest.mark.parametrize("numbers", [{}, {"notes": "one text", "absent": ""}, {"notes": []}])
def test_a_caption_that_somebody_cut_is_named(numbers):
    view = RecordView.of(Record("any", {}, {}, {}, [Finding("caption.curves", "Who leads", numbers)]))
    with pytest.raises(KeyError, match=r"caption\.curves"):
        caption_of(view, "curves")
