"""Scores as the official scorers give them, with intervals over what belongs together."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.records import Record
from wordworth.studies.evaluate import evaluate


def scores(record: Record, digits: int = 4) -> dict[str, float]:
    return {row["metric"]: round(row["score"], digits) for row in record.tables["scores"].rows()}


CONTEXT = "Ada wrote notes. Babbage built an engine."


def questions(folder: Path) -> Path:
    entries = [
        {"id": "who", "question": "Who?", "answers": [{"text": "Ada", "answer_start": 0}]},
        {"id": "what", "question": "What?", "answers": [{"text": "an engine", "answer_start": 31}]},
        {"id": "why", "question": "Why?", "answers": []},
        {"id": "when", "question": "When?", "answers": []},
    ]
    whole = {"data": [{"title": "x", "paragraphs": [{"context": CONTEXT, "qas": entries}]}]}
    said = {"who": "ada!", "what": "engine built", "why": "", "when": "notes"}
    doubts = {"who": 0.1, "what": 0.2, "why": 0.9, "when": 0.8}
    files = {"dev-v2.0.json": whole, "said.json": said, "doubts.json": doubts}
    return write(folder, {name: json.dumps(value) for name, value in files.items()})


def test_doubted_answers_are_withheld_and_the_best_threshold_is_found(tmp_path):
    folder = questions(tmp_path)
    plain = scores(evaluate("squad2", folder / "said.json", data=folder, draws=100))
    assert (plain["exact"], plain["NoAns_exact"]) == (50, 50)
    assert plain["f1"] == pytest.approx(100 * (1 + 2 / 3 + 1 + 0) / 4, abs=1e-4)
    record = evaluate(
        "squad2", folder / "said.json", data=folder, na_probs=folder / "doubts.json", na_threshold=0.5, draws=100
    )
    found = scores(record)
    assert (found["exact"], found["NoAns_exact"]) == (75, 100)
    assert (found["best_f1"], found["best_f1_thresh"]) == (pytest.approx(100 * (3 + 2 / 3) / 4, abs=1e-4), 0.2)
    thresholds = [row for row in record.tables["scores"].rows() if row["metric"].endswith("thresh")]
    assert all(row["low"] is None for row in thresholds)


def test_the_questions_of_a_paragraph_are_drawn_together(tmp_path):
    """One is all right and one all wrong: a quarter of the draws is all right; of questions alone, 1 in 64 would be."""
    asked = {text: [{"id": f"{text}{n}", "question": "Who?", "answers": []} for n in range(3)] for text in ("a", "b")}
    whole = {"data": [{"title": "x", "paragraphs": [{"context": text, "qas": qas} for text, qas in asked.items()]}]}
    said = {one["id"]: "" if text == "a" else text for text, qas in asked.items() for one in qas}
    folder = write(tmp_path, {"dev-v2.0.json": json.dumps(whole), "said.json": json.dumps(said)})
    rows = evaluate("squad2", folder / "said.json", data=folder, draws=1000).tables["scores"].rows()
    assert {(row["score"], row["low"], row["high"]) for row in rows if row["metric"] == "exact"} == {(50, 0, 100)}


CONLL = "EU B-ORG\nlikes O\nRome B-LOC\n\nPeter B-PER\nBlackburn I-PER\n\n"


def test_entities_are_scored_over_all_and_by_type(tmp_path):
    said = "I-ORG\nO\nI-PER\n\nI-PER\nI-PER\n"
    folder = write(tmp_path, {"eng.testa": CONLL, "tags.txt": said})
    found = scores(evaluate("conll2003", folder / "tags.txt", data=folder, draws=100), 2)
    assert (found["entity_precision"], found["entity_recall"], found["entity_f1"]) == (66.67, 66.67, 66.67)
    assert (found["f1:PER"], found["f1:LOC"], found["f1:MISC"]) == (66.67, 0, 0)


def test_intervals_cover_at_about_their_level():
    """Accuracy 0.8 on 400 texts: of 60 parts drawn from it, about 57 intervals should hold 0.8."""
    from wordworth.measures.bootstrap import interval
    from wordworth.studies.evaluate.official_scores import OfficialScore, bootstrap_scores

    rng, held = np.random.default_rng(0), 0
    for trial in range(60):
        right = (rng.random(400) < 0.8).astype(np.float64)
        line = OfficialScore("accuracy", 0, 2, 400, "texts", lambda w, right=right: (w @ right) / w.sum(axis=1))
        held += 0.8 in interval(bootstrap_scores([line], np.arange(400), 400, trial)["accuracy"])
    assert 52 <= held <= 60
