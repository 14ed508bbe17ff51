"""The recipe of nearest texts: what is selected, what is left out, and the record."""

import csv
import json

import numpy as np
import pytest
from tests.training.pretraining.conftest import NOUNS

import nearest_texts
from parts import nearest_sentences
from parts.nearest_sentences import nearest_rows, pool_of, random_rows
from wordworth.errors import BadInput
from wordworth.records import read
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

LONG = "the king and the queen see the dog and the cat and the fox"


def corpus_file(path, texts):
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


def test_the_pool_has_distinct_sentences_without_short_ones_and_those_of_the_test(tmp_path):
    other = "Another sentence that is quite long enough to be selected."
    file = corpus_file(tmp_path / "c.jsonl", [f"{other} Short one. {other} It says: {LONG} again."])
    assert pool_of(file, EvaluationTexts.of([LONG])) == [other]
    assert len(pool_of(file, EvaluationTexts.of([]))) == 2
    with pytest.raises(BadInput, match="no sentence is left to select from"):
        pool_of(corpus_file(tmp_path / "d.jsonl", ["Short one."]), EvaluationTexts.of([]))
    with pytest.raises(BadInput, match="every sentence shares 13 words in a row"):
        pool_of(corpus_file(tmp_path / "e.jsonl", [f"{LONG} again."]), EvaluationTexts.of([LONG]))


class Directions:
    """An encoder whose vector of a text is the direction that its digits name."""

    def encode(self, texts, *, normalize):
        assert normalize
        return np.array([[np.cos(int(text)), np.sin(int(text))] for text in texts])


def test_the_nearest_of_every_text_are_selected_once(monkeypatch):
    monkeypatch.setattr(nearest_sentences, "load", lambda _: Directions())
    pool = [str(angle) for angle in (0, 1, 2, 3, 4)]
    assert nearest_rows("any", ["0", "3", "3"], pool, 1).tolist() == [0, 3]
    assert nearest_rows("any", ["0"], pool, 2).tolist() == [0, 1]
    assert nearest_rows("any", ["0"], pool, 50).tolist() == [0, 1, 2, 3, 4]


def test_random_sentences_have_about_as_many_characters():
    pool = ["x" * length for length in range(10, 60)]
    rows = random_rows(pool, 400)
    assert 400 <= sum(len(pool[row]) for row in rows) < 460
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert random_rows(pool, 400, seed=1).tolist() != rows.tolist()


def labelled(path, number, offset):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for row in range(number):
            noun = NOUNS[(row + offset) % len(NOUNS)]
            writer.writerow([f"{LONG} number {offset} {row} and the {noun}", "ab"[row % 2]])
    return path


def test_every_arm_is_learned_asked_tuned_and_compared(corpus, tmp_path, monkeypatch, capsys):
    start, out = tmp_path / "start", tmp_path / "out"
    pretrain(PretrainingConfig(stores=(corpus,), out=start, model_size="1x16", steps=1, device="cpu"))
    sentences = [f"The {a} and the {b} see the {c} near the old castle." for a in NOUNS for b in NOUNS for c in "xyz"]
    train, test = labelled(tmp_path / "a.csv", 40, 0), labelled(tmp_path / "b.csv", 20, 100)
    shared = train.read_text().replace(LONG, "a tale of the king that is told here and that ends well for all of them")
    train.write_text(f"{shared}{LONG} and more,a\n")
    arguments = {"--train": train, "--test": test, "--corpus": corpus_file(tmp_path / "c.jsonl", [" ".join(sentences)])}
    arguments |= {"--model": start, "--out": out, "--vectors": start, "--neighbours": 2, "--metric": "macro_f1"}
    arguments |= {"--steps": 2, "--seeds": 1, "--epochs": 1, "--max-length": 32, "--device": "cpu"}
    monkeypatch.setattr("sys.argv", ["nearest_texts.py", *(str(each) for pair in arguments.items() for each in pair)])
    nearest_texts.main()
    assert "differences between texts to go on with" in capsys.readouterr().out
    record = read(out / "nearest_texts.json")
    assert {row["measure"] for row in record.tables["scores"].rows()} == {"macro_f1", "bits a character"}
    assert [row["policy"] for row in record.tables["scores"].rows()][:4] == list(nearest_texts.ARMS)
    texts = {row["policy"]: row for row in record.tables["texts"].rows()}
    assert texts["task"]["left_out"] == 1, "a training text that is in the test is not read"
    assert texts["task"]["texts"] == 40 < texts["nearest"]["texts"]
    assert abs(texts["nearest"]["characters"] - texts["random"]["characters"]) < 80
