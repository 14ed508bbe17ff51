"""Choices are made on a dev file of the user."""

import pytest
from tests.studies.finetune.cases import BRIEF, LONGER
from tests.tasks.reading.test_question_files import choices, lines, spans

from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune


def reviews(path, numbers):
    """Reviews of films by their numbers, every other one good."""
    rows = [
        {"text": f"{'good' if number % 2 else 'bad'} film {number}", "label": "+-"[number % 2]} for number in numbers
    ]
    return lines(path, rows)


@pytest.mark.slow
def test_choices_are_made_on_a_dev_file_and_on_nothing_of_the_training_part(encoder, tmp_path):
    data, dev = reviews(tmp_path / "all.jsonl", range(80)), reviews(tmp_path / "dev.jsonl", range(100, 140))
    test = reviews(tmp_path / "test.jsonl", range(200, 230))
    for named, learned, tested in (({"test": str(test)}, 80, 30), ({"test": 0.25}, 60, 20)):
        choices_of_this = LONGER | {"dev": str(dev)} | named
        record = finetune(data=data, model=encoder, out=tmp_path / str(tested), **choices_of_this)
        assert (record.data["train"], record.data["dev"], record.data["test"]) == (learned, 40, tested)
        assert "choices made on the 40 of dev.jsonl" in record.finding("method.parts").text
        assert record.settings["dev"] == str(dev)
        assert record.table("evaluations")["dev"].notna().all()


def test_texts_of_a_dev_file_that_are_learned_or_tested_are_told_of_and_its_new_classes_refused(encoder, tmp_path):
    data, test = reviews(tmp_path / "all.jsonl", range(80)), reviews(tmp_path / "test.jsonl", range(200, 230))
    some = {**BRIEF, "restarts": 1, "epochs": 1, "test": str(test), "model": encoder}
    dev = reviews(tmp_path / "dev.jsonl", [*range(70, 90), *range(225, 230)])
    record = finetune(data=data, out=tmp_path / "run", **{**some, "dev": dev})
    trained, tested = (record.finding(f"warning.dev_in_{part}").text for part in ("training", "test"))
    assert "10 of 25 texts of the dev file are also in the training part" in trained
    assert "5 of 25 texts of the dev file are also in the test part" in tested
    new = lines(tmp_path / "new.jsonl", [{"text": f"odd film {number}", "label": "?"} for number in range(20)])
    with pytest.raises(BadInput, match=r"20 of 20 dev rows have a class that the training part lacks .*'\?'"):
        finetune(data=data, out=tmp_path / "other", **{**some, "dev": str(new)})
    other = lines(tmp_path / "other.jsonl", [{"text": "odd film", "mark": "+"}])
    with pytest.raises(BadInput, match="the dev file has no column 'label'"):
        finetune(data=data, out=tmp_path / "other", **{**some, "dev": str(other)})


@pytest.mark.parametrize(("kind", "rows"), [("span", spans()), ("choice", choices())])
def test_choices_on_own_questions_are_made_on_a_dev_file(encoder, tmp_path, kind, rows):
    data, dev = lines(tmp_path / "all.jsonl", rows), lines(tmp_path / "dev.jsonl", rows[:24])
    some = {**BRIEF, "restarts": 1, "epochs": 1, "dev": str(dev)}
    record = finetune(data=data, kind=kind, model=encoder, out=tmp_path / "run", **some)
    assert record.data["dev"] == 24
    assert record.finding("warning.dev_in_training")
