"""Where a verdict names a rung that the study has not written, the error says what makes its model."""

from pathlib import Path

import pytest

from wordworth.records import RECORD, Finding, Record, Table
from wordworth.training.finetuning.unwritten_verdict import finetune_command, finetuned_folder, unwritten_verdict

LADDER = Table.of(
    [
        {"rung": "majority", "family": "constant"},
        {"rung": "glove", "family": "static"},
        {"rung": "minilm", "family": "frozen"},
        {"rung": "minilm-int8", "family": "frozen"},
        {"rung": "bought", "family": "frozen"},
        {"rung": "minilm-finetuned", "family": "finetuned"},
    ],
    {"rung": "short name", "family": "kind of rung"},
)


def record_of(rung: str) -> Record:
    """The record of a study whose verdict names a rung."""
    return Record(
        kind="worth",
        settings={
            "models": ["glove", "minilm"],
            "vectors": ["sold/bought.npy"],
            "text": "my text",
            "text_b": None,
            "label": ["a", "b"],
        },
        data={"name": "some reviews.csv"},
        tables={"ladder": LADDER},
        findings=[Finding("verdict", "Some rung.", {"rung": rung})],
        timings={},
        environment={},
    )


@pytest.mark.parametrize(
    ("rung", "says"),
    [
        ("majority", "names 'majority', and it gives every text the same answer; run wordworth worth on more labels"),
        (
            "bought",
            (
                "names 'bought', and the file that holds your vectors has none of new texts, so that no model can be "
                "made of it; name another rung with"
            ),
        ),
        ("minilm", "names 'minilm', and the study has not written it; run the study again"),
        ("minilm-int8", "names 'minilm-int8', and the study has not written it; run the study again"),
        ("glove", "names 'glove', and the study has not written it; run the study again"),
        (
            "minilm-finetuned",
            (
                "make it with wordworth finetune --data 'some reviews.csv' --text 'my text' --label a --label b "
                "--model minilm --restarts 1 --out {run}-finetuned and then give {run}-finetuned"
            ),
        ),
    ],
)
def test_the_error_says_what_makes_the_model(tmp_path, rung, says):
    run = tmp_path / "run"
    run.mkdir()
    record_of(rung).save(run / RECORD)
    error = unwritten_verdict(run)
    assert error is not None
    assert says.format(run=run) in str(error)
    assert error.where == str(run)


def test_a_folder_without_a_study_has_no_such_error(tmp_path):
    assert unwritten_verdict(tmp_path) is None
    (tmp_path / RECORD).write_text("{}", encoding="utf-8")
    assert unwritten_verdict(tmp_path) is None


@pytest.mark.parametrize(
    ("run", "folder"), [(".", "model-finetuned"), ("..", "../model-finetuned"), ("a/b", "a/b-finetuned")]
)
def test_the_model_of_a_study_in_the_current_folder_has_a_folder_too(run, folder):
    assert finetuned_folder(Path(run)) == Path(folder)
    assert finetune_command(record_of("minilm-finetuned"), Path("a.csv"), Path(run)).endswith(f" --out {folder}")
    assert not finetune_command(record_of("glove"), Path("a.csv"), Path(run))
