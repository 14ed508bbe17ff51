"""The page of a study of sentence vectors: every system as a dot, every difference, a table by set."""

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from caption_checks import CAPTION_CHECKS, captions
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.sentences.pairs import labelled
from tests.training.sentences.sentence_files import scored

import wordworth as ww
from wordworth.records import read
from wordworth.reports import render
from wordworth.reports.captions import with_captions

SEVERAL_SETS = Path(__file__).resolve().parents[2] / "docs" / "records" / "sentences_mini.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentences")
    write_tiny_encoder(folder / "tiny")
    scored(folder / "pairs.csv", 40)
    return folder


@pytest.fixture(scope="module")
def records(folder):
    table = folder / "table.txt"
    table.write_text("film 1 0 0\nbook 0 1 0\nthe 0 0 1\n")
    small = {"data": folder / "pairs.csv", "other_models": (), "draws": 100}
    model = str(folder / "tiny")
    return {
        "an encoder": ww.study_sentences(model=model, **small),
        "a table alone": ww.study_sentences(model=str(table), **small),
        "with classifiers": ww.study_sentences(model=model, labelled_pairs=labelled(60), **small),
        "several sets": with_captions(read(SEVERAL_SETS)),
    }


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("of", ["an encoder", "a table alone", "with classifiers", "several sets"])
def test_the_record_holds_the_sentences_of_its_charts(records, of, check):
    check(records[of])


def test_a_chart_of_classifiers_has_a_caption_where_pairs_have_labels(records):
    assert list(captions(records["an encoder"])) == ["systems", "differences"]
    assert list(captions(records["with classifiers"])) == ["systems", "differences", "concatenations"]


def test_systems_differences_and_sets_are_on_the_page(records):
    record = records["an encoder"]
    page = unescape(render(record))
    assert record.finding("verdict").numbers["headline"] in page
    for words in (
        "own pooling (mean)",
        "own − cls",
        "first token (CLS)",
        "random weights",
        "mean over sets",
        "Pearson",
    ):
        assert words in page
    assert "differences are beyond doubt" in page
    assert ">On pairs.csv</h2>" in page
    assert "Over all sets" not in page
    head = page.partition("<caption>Spearman's correlation × 100 by set")[2].partition("</thead>")[0]
    assert "Pearson" in head
    assert "mean over sets" not in head, "the mean of one set is that set"
    assert "<b>x" not in render(replace(record, data={**record.data, "name": "<b>x</b>"}))


def test_a_model_without_others_to_compare_says_so(records):
    assert "There is no other system to compare with." in render(records["a table alone"])


def test_several_sets_have_their_mean_under_its_own_heading():
    assert "Over all sets</h2>" in render(read(SEVERAL_SETS))
