"""The verdict says what changed on the dev part, with its interval; warnings say what could mislead."""

import pytest

import wordworth as ww


def trained(files, out, **choices):
    usual = {"model": str(files / "tiny"), "dev": files / "sts.csv", "max_length": 64, "batch_size": 32}
    return ww.train_sentences(files / "nli.csv", out, **{**usual, **choices})


def test_scored_rows_give_a_change_with_its_interval(files, tmp_path):
    record = trained(files, tmp_path / "sbert", epochs=3)
    numbers = record.finding("verdict").numbers
    assert numbers["low"] <= numbers["change"] <= numbers["high"]
    evaluations = {row["step"]: row["score"] for row in record.tables["evaluations"].rows()}
    assert numbers["change"] == pytest.approx(evaluations[numbers["kept"]] - evaluations[0])
    assert "the same rows chose the step" in record.verdict
    assert "before training" in numbers["headline"]
    assert "hard negative" in record.finding("method.positives").text


@pytest.mark.parametrize(("bf16", "dtype"), [(True, "bfloat16"), (False, "float32")])
def test_the_data_type_of_the_dev_scores_is_said(files, tmp_path, monkeypatch, bf16, dtype):
    monkeypatch.setattr("wordworth.training.sentences.trainer.supports_bf16", lambda _: bf16)
    record = trained(files, tmp_path / dtype, epochs=1)
    assert f"Both scores are of vectors in {dtype}." in record.verdict
    assert ("method.dtype" in {finding.name for finding in record.findings}) is bf16


@pytest.mark.slow
def test_without_scores_the_loss_is_said_and_without_dev_part_nothing_is_claimed(files, tmp_path):
    assert "Loss on" in trained(files, tmp_path / "share", dev=0.4, loss="softmax").verdict
    none = trained(files, tmp_path / "none", dev=0)
    assert "not judged on a dev part" in none.verdict
    assert none.finding("warning.no_dev")


def test_cut_texts_and_a_training_that_made_it_worse_are_warned_of(files, tmp_path):
    record = trained(files, tmp_path / "bad", max_length=8, learning_rate=0.1, matryoshka="8,16", seed=1)
    assert record.finding("warning.cut").numbers["cut"] > 0
    assert record.finding("warning.no_gain")
    assert "first 8, 16 numbers" in record.finding("method.matryoshka").text


def test_pairs_of_a_text_with_itself_are_warned_of(files, tmp_path):
    pairs = [{"text_a": f"a text of number {n}", "text_b": f"a text of number {n}"} for n in range(20)]
    record = ww.train_sentences(pairs, tmp_path / "own", model=str(files / "tiny"), max_length=16, dev=0, epochs=1)
    assert record.finding("warning.equal_texts")
