"""The recipe of dialogues: every policy trains, is fine-tuned on questions, and stands in the record."""

import json

import pytest
from tests.training.pretraining.conftest import NOUNS

import dialogues
from wordworth.records import read
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain


def dream(path, number):
    """Write a file of DREAM: so many dialogues of four turns, with a question each."""
    entries = []
    for entry in range(number):
        words = [NOUNS[(entry + turn) % len(NOUNS)] for turn in range(4)]
        turns = [f"{'WM'[turn % 2]}: {word} {words[0]}" for turn, word in enumerate(words)]
        question = {"question": "the king?", "choice": words[:3], "answer": words[entry % 3]}
        entries.append([turns, [question], f"{path.stem}-{entry}"])
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "dream"
    folder.mkdir(parents=True)
    for part, number in (("train", 30), ("dev", 20), ("test", 10)):
        dream(folder / f"{part}.json", number)
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path / "data"))
    return folder


def test_every_policy_is_trained_tuned_and_compared(corpus, data, tmp_path, monkeypatch, capsys):
    start, out = tmp_path / "start", tmp_path / "out"
    pretrain(PretrainingConfig(stores=(corpus,), out=start, model_size="1x16", steps=1, device="cpu"))
    arguments = {"--train": data / "train.json", "--held-out": data / "dev.json", "--model": start, "--out": out}
    arguments |= {"--steps": 2, "--seeds": 1, "--epochs": 1, "--max-length": 32, "--device": "cpu", "--limit": 20}
    monkeypatch.setattr("sys.argv", ["dialogues.py", *(str(each) for pair in arguments.items() for each in pair)])
    dialogues.main()
    assert "ways of reading dialogues" in capsys.readouterr().out
    record = read(out / "dialogues.json")
    assert [row["policy"] for row in record.tables["scores"].rows()] == list(dialogues.POLICIES)
    assert len(record.tables["differences"].rows()) == 6
    learned = {row["policy"]: row for row in record.tables["learned"].rows()}
    assert set(learned) == {"text", "roles", "judgement"}
    assert all(row["tokens"] > 0 and row["mlm"] > 0 for row in learned.values())
    assert learned["roles"]["dialogue_right"] is None
    assert 0 <= learned["judgement"]["dialogue_right"] <= 1


def test_the_plain_text_has_the_turns_without_their_speakers(tmp_path):
    dialogues.write_turns(dream(tmp_path / "two.json", 2), tmp_path / "made" / "two.jsonl")
    first, _ = map(json.loads, (tmp_path / "made" / "two.jsonl").read_text().splitlines())
    assert ":" not in first["text"]
    assert first["text"].split()[0] == NOUNS[0]
