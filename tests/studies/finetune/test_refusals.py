"""Settings that cannot be are refused in one line, before anything takes long."""

import re

import pandas as pd
import pytest
from tests.models.tiny_elmo import write_elmo
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import BRIEF

from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.parametrize(("choices", "said"), [
    ({"recipe": "papr"}, "did you mean 'paper'"),
    ({"restarts": 0}, "`restarts` 0 is out of range"),
    ({"grid": "paper", "dev": 0.0}, "grid search needs a dev part"),
    ({"limit": 100}, "`limit` goes with a file of your own"),
    ({"group": "author"}, "`group` goes with a file of your own"),
    ({"text_b": "other"}, "`text_b` goes with a file of your own"),
    ({"pooling": "pooled"}, "no pooling 'pooled'"),
    ({"features": "last"}, "`features`: sample is not a tagging task"),
    ({"crf": True}, "`crf`: sample is not a tagging task; leave `crf` out"),
    ({"dev": "0.7"}, "`dev` 0.7 is out of range; give a share from 0 to 0.5, or a file"),
    ({"dev": None}, "`dev` is None; give a share from 0 .no dev part. to 0.5, or a file"),
    ({"dev": "dev.csv"}, "`dev`: a dev file .dev.csv. goes with a file of your own"),
    ({"context": 64}, "`context`: sample is not a tagging task"),
])  # fmt: skip
def test_a_choice_that_cannot_be_is_told_in_one_line(encoder, tmp_path, choices, said):
    with pytest.raises(BadInput, match=said):
        finetune(sample_task("single"), **{"model": encoder, "out": tmp_path, "processes": 2, **choices})


@pytest.mark.parametrize(("choices", "error"), [
    ({"metric": "acuracy"}, "`metric`: no metric 'acuracy'; did you mean 'accuracy'"),
    ({"metric": "spearman", "kind": "single"}, "metric 'spearman' does not measure a task of kind classification"),
    ({"crf": True, "kind": "single"}, "`crf`: my.csv is not a tagging task"),
    ({"pooling": "mean", "kind": "span"}, "`pooling`: my.csv makes predictions for words"),
    ({"features": "last", "max_length": 64}, "`max_length`: with `features` the encoder reads each sentence"),
])  # fmt: skip
def test_a_choice_that_cannot_be_is_refused_before_the_file_is_read(encoder, tmp_path, choices, error):
    unreadable = tmp_path / "my.csv"
    unreadable.write_bytes(b"\x00\xff\x00\xff")
    with pytest.raises(BadInput, match=error):
        finetune(data=unreadable, model=encoder, out=tmp_path / "out", **choices)


@pytest.mark.parametrize(("model", "how"), [("run", "lies inside"), ("run/model", "is")])
def test_the_model_that_is_read_is_not_written_over(tmp_path, model, how):
    write_tiny_encoder(tmp_path / model, layers=1)
    with pytest.raises(BadInput, match=f"this {how} the folder of the model that is read"):
        finetune(sample_task("classification", 60), model=str(tmp_path / model), out=tmp_path / "run", processes=1)


def test_a_strategy_that_there_is_none_of_is_told_before_work_begins(encoder, tmp_path):
    with pytest.raises(BadInput, match="no features 'lats'; did you mean 'last'"):
        finetune(sample_task("tags"), model=encoder, out=tmp_path, processes=2, features="lats")


def test_a_device_that_is_not_there_is_told_in_one_line(encoder, tmp_path):
    for wrong in ("abacus", "cuda:99"):
        with pytest.raises(BadInput, match="no device"):
            finetune(sample_task("single", 40), model=encoder, out=tmp_path / "run", device=wrong, **BRIEF)


@pytest.mark.parametrize(
    ("kind", "choices", "said"),
    [
        (
            "tags",
            {"features": "last", "context": 64},
            "`context`: with `features` the encoder reads each sentence alone",
        ),
        ("tags", {"features": "last", "embeddings": False}, "`embeddings`: with `features`"),
        ("tags", {"pooling": "mean"}, "`pooling`: sample makes predictions for words"),
        ("span", {"pooling": "mean"}, "`pooling`: sample makes predictions for words"),
    ],
)
def test_what_would_do_nothing_is_refused(encoder, tmp_path, kind, choices, said):
    with pytest.raises(BadInput, match=re.escape(said)):
        finetune(sample_task(kind, 60), model=encoder, out=tmp_path, **{**BRIEF, **choices})


def test_a_model_of_characters_is_not_fine_tuned_and_says_so_at_once(tmp_path):
    with pytest.raises(BadInput, match="reads characters"):
        finetune(sample_task("single"), model=str(write_elmo(tmp_path / "elmo")), out=tmp_path / "out", processes=1)


def test_a_grid_without_rows_enough_for_a_dev_part_is_refused(encoder, tmp_path):
    with pytest.raises(BadInput, match=r"grid search needs a dev part, and 0\.1 of .* is too few"):
        finetune(sample_task("single", 90), model=encoder, out=tmp_path, grid="paper", restarts=1)


def test_a_folder_that_no_fine_tuning_made_is_not_written_over(encoder, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="a folder `model` that was not written by finetune"):
        finetune(sample_task("single"), model=encoder, out=tmp_path, **BRIEF)
    assert (tmp_path / "model" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("task", ["emo.csv", pd.DataFrame({"text": ["a"]}), [{"text": "a"}]])
def test_a_table_in_the_place_of_the_task_is_pointed_to_data(tmp_path, task):
    with pytest.raises(BadInput, match="is no named task; give a file or a table as `data`"):
        finetune(task, out=tmp_path / "out")


@pytest.mark.parametrize("seed", ["a", -1])
def test_a_seed_is_a_whole_number(tmp_path, seed):
    with pytest.raises(BadInput, match="`seed`"):
        finetune("cola", out=tmp_path / "out", seed=seed)
