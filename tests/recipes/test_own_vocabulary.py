"""The recipe of an own vocabulary: what is shared, what is learned and asked, and the record."""

import csv
import json

import numpy as np
import pytest
from tests.training.pretraining.conftest import NOUNS

import own_vocabulary
from own_vocabulary import ARMS, CONTINUED, GENERAL, OWN, PLAIN
from parts.held_out_bits import Answers, on_shared
from wordworth.errors import BadInput
from wordworth.records import read
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

LONG = "the king and the queen see the dog and the cat and the fox"


def test_only_documents_that_every_run_was_asked_about_count():
    first = Answers(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 2.0]))
    other = Answers(np.array([4.0, 5.0, 6.0]), np.array([1.0, 1.0, 1.0]))
    found = on_shared({"first": [first], "other": [other]})
    assert found["first"][0].nats.tolist() == [1, 0, 3]
    assert found["other"][0].nats.tolist() == [4, 0, 6]
    assert found["other"][0].pieces.tolist() == [1, 0, 1]


def labelled(path, number, offset):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for row in range(number):
            noun = NOUNS[(row + offset) % len(NOUNS)]
            writer.writerow([f"{LONG} number {offset} {row} and the {noun}", "ab"[row % 2]])
    return path


def arguments(tmp_path, corpus, texts):
    start = tmp_path / "start"
    if not start.exists():
        pretrain(PretrainingConfig(stores=(corpus,), out=start, model_size="1x16", steps=1, device="cpu"))
    file = tmp_path / "domain.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    train, test = labelled(tmp_path / "a.csv", 40, 0), labelled(tmp_path / "b.csv", 20, 100)
    given = {"--train": train, "--test": test, "--corpus": file, "--model": start, "--out": tmp_path / "out"}
    given |= {"--size": "1x16", "--steps": 2, "--seeds": 1, "--epochs": 1, "--max-length": 32, "--device": "cpu"}
    return ["own_vocabulary.py", *(str(each) for pair in given.items() for each in pair)]


def test_every_arm_is_learned_asked_tuned_and_compared(corpus, tmp_path, monkeypatch, capsys):
    texts = [
        f"The zebra of {a} and the zebra of {b} run {number} miles near the old {where}. The {b} is gone by {number}."
        for number, a in enumerate(NOUNS)
        for b in NOUNS
        for where in ("castle", "river")
    ]
    shared = f"A document of the corpus that says {LONG} number 100 0 and the same again."
    monkeypatch.setattr("sys.argv", arguments(tmp_path, corpus, [*texts, shared]))
    own_vocabulary.main()
    out = tmp_path / "out"
    record = read(out / "own_vocabulary.json")
    said = capsys.readouterr().out
    assert "From scratch, the own vocabulary changes accuracy" in said
    assert "bits a character, words hidden" in said
    scores = record.tables["scores"].rows()
    assert [row["policy"] for row in scores] == [*ARMS] * 3
    assert {row["measure"] for row in scores[4:]} == {
        f"bits a character, {unit} hidden" for unit in ("pieces", "words")
    }
    assert record.data["unseen"][OWN]["shared"] == 1, "a document that holds a test text is in neither part"
    general, own = record.tables["vocabularies"].rows()
    assert general["shared"] == 1
    assert 0 < own["shared"] < 1
    learned = {arm: own_vocabulary.texts_of(own_vocabulary.arguments())[arm] for arm in ARMS}
    assert learned[PLAIN] is None
    assert learned[CONTINUED] == learned[GENERAL]
    general, own, start = (
        Tokenizer.read(folder).fingerprint for folder in (learned[GENERAL], learned[OWN], tmp_path / "start")
    )
    assert general == start != own


def test_too_few_documents_are_one_clear_error(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", arguments(tmp_path, corpus, ["One document alone."]))
    with pytest.raises(BadInput, match="too few documents to learn from"):
        own_vocabulary.main()
    assert not (tmp_path / "out").exists(), "what is refused leaves nothing, so that the mended command has no settings"


def test_a_folder_in_place_of_a_file_is_one_clear_error(corpus, tmp_path, monkeypatch):
    words = arguments(tmp_path, corpus, ["One document alone."])
    words[words.index("--corpus") + 1] = str(tmp_path)
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(BadInput, match="this is a folder; give a file with `corpus`"):
        own_vocabulary.main()


def test_the_verdict_says_what_the_vocabulary_and_going_on_change():
    row = {"measure": "accuracy", "difference": 0.1, "low": 0.02, "high": 0.18}
    pairs = ((OWN, GENERAL), (OWN, CONTINUED), (CONTINUED, PLAIN), (GENERAL, PLAIN))
    rows = [{**row, "policy": policy, "other": other} for policy, other in pairs]
    vocabularies = [{"size": 100, "shared": 1.0, "per_word": 1.5}, {"size": 90, "shared": 0.42, "per_word": 1.2}]
    found = own_vocabulary.verdict(rows, vocabularies)
    assert "shares 42 % of its 90 pieces" in found.text
    assert "1.20 pieces in place of 1.50" in found.text
    assert found.text.count("accuracy +0.100 (95 %: +0.020 to +0.180)") == 3
    assert found.numbers["own less general, accuracy"] == 0.1
