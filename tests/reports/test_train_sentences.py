"""The page of a training of sentence vectors: two curves, and every number behind them."""

from dataclasses import replace
from html import unescape

import pytest
from tests.training.sentences.sentence_files import files_to_train_on

import wordworth as ww
from wordworth.reports import render


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
