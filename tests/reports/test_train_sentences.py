"""The page of a training of sentence vectors: two curves, and every number behind them."""

from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from tests.training.sentences.sentence_files import files_to_train_on

import wordworth as ww
from wordworth.records import Finding
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.study import make_record
from wordworth.studies.train_sentences.tables import tables_of
from wordworth.training.finetuning.run_result import Evaluation

EVALUATIONS = (Evaluation(0, 0.0, 0.25), Evaluation(4, 0.0, 0.75), Evaluation(6, 0.0, 0.5))
JUDGED_BY = ("spearman", "loss", None)
"""What the dev part of a training is judged by; nothing without a dev part."""


def record_judged_by(measure):
    """The record of six steps, of which the fourth is kept."""
    evaluations = () if measure is None else EVALUATIONS
    result = SimpleNamespace(losses=[3.0, 2.5, 2.0, 1.5, 1.25, 1.0], evaluations=evaluations, kept_step=4)
    data = {"name": "nli.csv", "model": "tiny", "dev": 90, "judged_by": measure, "sources": []}
    verdict = Finding("verdict", "It learned.", {"headline": "Learned."})
    tables = tables_of(result, str(measure))
    return make_record("train_sentences", {}, data, tables=tables, findings=[verdict], seconds={"training": 1.0})


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("measure", JUDGED_BY)
def test_the_record_holds_the_sentences_of_its_charts(measure, check):
    check(record_judged_by(measure))


def test_captions_give_the_loss_and_the_dev_score_before_training_and_at_the_step_kept():
    by_correlation, by_loss, without_dev = (captions(with_captions(record_judged_by(measure))) for measure in JUDGED_BY)
    assert without_dev.keys() == {"loss"}
    assert without_dev["loss"].title == "The loss went from 3.00 to 1.00"
    assert by_correlation["dev"].title == "25.00 before training, 75.00 at the step kept"
    assert by_loss["dev"].title == "−0.250 before training, −0.750 at the step kept"
    assert by_loss["dev"].notes == ("90 rows that were not learned from; they chose the step.",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return files_to_train_on(tmp_path_factory.mktemp("sentences"))


def trained(folder, **choices):
    usual = {"model": str(folder / "tiny"), "dev": folder / "sts.csv", "max_length": 64, "batch_size": 32}
    name = "-".join(map(str, choices.values())) or "usual"
    return ww.train_sentences(folder / "nli.csv", folder / name.replace("/", ""), **{**usual, **choices})


@pytest.mark.slow
def test_loss_and_dev_score_are_on_the_page(folder):
    record = trained(folder)
    page = render(record)
    for words in ("Training loss", "Spearman × 100, dev part", "before training", "nli.csv", "sts.csv"):
        assert words in page
    assert record.finding("verdict").numbers["headline"] in unescape(page)
    assert "<b>x" not in render(replace(record, data={**record.data, "name": "<b>x</b>"}))


@pytest.mark.slow
def test_a_dev_part_without_scores_is_drawn_by_its_loss_and_none_is_left_out(folder):
    assert "loss, dev part" in render(trained(folder, dev=0.4, loss="softmax"))
    page = render(trained(folder, dev=0))
    assert "Training loss" in page
    assert "dev part</" not in page
