"""Named tasks of every kind pass the checks that are offered to other packages, and broken ones do not."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write
from tests.tasks.datasets.test_dream import DREAM
from tests.tasks.datasets.test_glue import OFFICIAL
from tests.tasks.formats.test_conll import FILE
from tests.tasks.formats.test_multiple_choice import SWAG
from tests.tasks.formats.test_squad import GOOD

from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.formats.dataset_spec import FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.testing.tasks import (
    check_gold_scores_full_marks,
    check_it_says_what_it_is,
    check_labels_are_of_its_kind,
    check_missing_files_are_named,
    task_checks,
)

FILES = {
    "cola": {"train.tsv": OFFICIAL["cola"][0], "dev.tsv": OFFICIAL["cola"][0]},
    "rte": {"train.tsv": OFFICIAL["rte"][0], "dev.tsv": OFFICIAL["rte"][0]},
    "stsb": {"train.tsv": OFFICIAL["stsb"][0], "dev.tsv": OFFICIAL["stsb"][0]},
    "conll2003": {"eng.train": FILE, "eng.testa": FILE},
    "squad2": {"train-v2.0.json": GOOD, "dev-v2.0.json": GOOD},
    "squadshifts_new_wiki": {"new_wiki_v1.0.json": GOOD},
    "swag": {"train.csv": SWAG, "val.csv": SWAG},
    "dream": {"train.json": str(DREAM).replace("'", '"'), "dev.json": str(DREAM).replace("'", '"')},
}


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


@pytest.mark.parametrize("check", task_checks(), ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", FILES)
def test_our_own_tasks_conform(name, check, tmp_path, empty):
    check(find_dataset_spec(name), write(tmp_path / "data", FILES[name]), empty)


def test_a_metric_of_another_kind_is_caught(tmp_path, empty):
    with pytest.raises(AssertionError, match="entity_f1 does not measure a task of kind classification"):
        check_it_says_what_it_is(replace(find_dataset_spec("cola"), metrics=("entity_f1",)), tmp_path, empty)


def test_classes_that_lack_one_are_caught(tmp_path, empty):
    folder = write(tmp_path / "data", FILES["cola"])
    with pytest.raises(AssertionError, match="labels outside 0 to 0"):
        check_labels_are_of_its_kind(replace(find_dataset_spec("cola"), classes=("0",)), folder, empty)


def test_a_task_whose_gold_is_not_the_best_answer_is_caught(tmp_path, empty):
    """All labels the same: Matthews' correlation is 0 even for gold."""
    folder = write(tmp_path / "data", {"dev.csv": "text,label\na,1\nb,1\n"})
    read = TextTableReader(first="text", label="label", classes=("0", "1"))
    task = replace(find_dataset_spec("cola"), layouts=(FileLayout(files={"dev": "dev.csv"}, read=read),))
    with pytest.raises(AssertionError, match="gold scores 0"):
        check_gold_scores_full_marks(task, folder, empty)


def test_files_found_where_none_are_is_caught(tmp_path):
    folder = write(tmp_path, FILES["cola"])
    with pytest.raises(AssertionError, match="found its files in an empty folder"):
        check_missing_files_are_named(find_dataset_spec("cola"), folder, folder)
