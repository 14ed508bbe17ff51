"""GLUE's tasks from its official files, from CSV, and from the hub's cache."""

from pathlib import Path

import pandas as pd
import pytest
from tests.tasks.datasets.data_folder import DATA, needs, write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import find_dataset_spec, glue_names, named_task
from wordworth.tasks.formats import dataset_spec

PAIRS = 'index\tsentence1\tsentence2\tlabel\n0\tIt "rains.\tIt is wet.\t{0}\n1\tIt rains.\tIt is dry.\t{1}\n'
OFFICIAL = {
    "cola": ("gj04\t1\t\tIt is.\ngj04\t0\t*\tIs it is.\n", ("0", "1"), [1, 0]),
    "sst2": ('sentence\tlabel\n" a charming journey \t1\nbleak \t0\n', ("0", "1"), [1, 0]),
    "mrpc": (
        'Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t70\t71\tHe "said.\tHe said.\n0\t7\t8\tNo.\tYes.\n',
        ("0", "1"),
        [1, 0],
    ),
    "stsb": (
        (
            "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore\n"
            "0\tg\tf\t2012\t1\tn\tn\tA plane.\tA jet.\t4.250\n1\tg\tf\t2012\t2\tn\tn\tA dog.\tA cat.\t0.5\n"
        ),
        (),
        [4.25, 0.5],
    ),
    "qqp": (
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n5\t1\t2\tWhy?\tHow so?\t1\n6\t3\t4\tWho?\tHow?\t0\n",
        ("0", "1"),
        [1, 0],
    ),
    "mnli": (
        (
            "index\tpromptID\tsentence1\tsentence2\tlabel1\tgold_label\n"
            "0\t1\tIt rains.\tIt is wet.\tneutral\tentailment\n"
            "1\t2\tIt rains.\tIt is dry.\tneutral\tcontradiction\n"
        ),
        ("contradiction", "entailment", "neutral"),
        [1, 0],
    ),
    "qnli": (
        "index\tquestion\tsentence\tlabel\n0\tWho?\tHe did.\tentailment\n1\tWho?\tIt rains.\tnot_entailment\n",
        ("entailment", "not_entailment"),
        [0, 1],
    ),
    "rte": (PAIRS.format("entailment", "not_entailment"), ("entailment", "not_entailment"), [0, 1]),
    "wnli": (PAIRS.format("1", "0"), ("0", "1"), [1, 0]),
}
METRICS = {
    "cola": ("matthews",),
    "stsb": ("spearman", "pearson"),
    "mrpc": ("f1:1", "accuracy"),
    "qqp": ("f1:1", "accuracy"),
}


@pytest.mark.parametrize("name", OFFICIAL)
def test_official_files_are_read_as_they_are(tmp_path: Path, name: str) -> None:
    text, classes, labels = OFFICIAL[name]
    dev = "dev_matched.tsv" if name == "mnli" else "dev.tsv"
    task = named_task(name, folder=write(tmp_path, {"train.tsv": text, dev: text}))
    assert (task.classes, task.metrics) == (classes, METRICS.get(name, ("accuracy",)))
    assert task.gold(task.test).tolist() == task.gold(task.train).tolist() == labels
    assert (task.train.tolist(), task.test.tolist()) == ([0, 1], [2, 3])
    assert task.examples.ids == 2 * (("5", "6") if name == "qqp" else ("0", "1"))
    assert "published" in task.warnings[1].text  # two rows are not the published set


def test_the_two_dev_parts_of_mnli_are_two_tasks(tmp_path: Path) -> None:
    text = OFFICIAL["mnli"][0]
    write(tmp_path, {"train.tsv": text, "dev_mismatched.tsv": text + "2\t3\tA.\tB.\tneutral\tneutral\n"})
    assert len(named_task("mnli_mm", folder=tmp_path).test) == 3
    with pytest.raises(BadInput, match=r"dev_matched\.tsv"):
        named_task("mnli", folder=tmp_path)


def test_files_of_the_hub_use_its_own_numbers_of_the_classes(tmp_path: Path, monkeypatch) -> None:
    frame = pd.DataFrame({"premise": ["A.", "B.", "C."], "hypothesis": ["a.", "b.", "c."], "label": [0, 1, 2]})
    (tmp_path / "mnli").mkdir()
    for part in ("train", "validation_matched"):
        frame.to_parquet(tmp_path / "mnli" / f"{part}-00000-of-00001.parquet")
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda name: tmp_path if name == "nyu-mll/glue" else None)
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    task = named_task("mnli")
    assert [task.classes[label] for label in task.gold(task.test)] == ["entailment", "neutral", "contradiction"]


REAL = {
    "cola": (8551, 1043),
    "sst2": (67_349, 872),
    "mrpc": (3668, 408),
    "stsb": (5749, 1500),
    "qqp": (8999, 1000),
    "mnli": (8999, 1000),
    "mnli_mm": (8999, 1000),
    "qnli": (8999, 5463),
    "rte": (2490, 277),
    "wnli": (635, 71),
}
WHOLE = {"cola", "sst2", "mrpc", "stsb", "rte", "wnli"}


@pytest.mark.parametrize("name", glue_names())
def test_the_real_sets_have_their_published_sizes_or_say_that_they_have_not(name: str) -> None:
    needs(find_dataset_spec(name).folders[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDWORTH_DATA", str(DATA))
        task = named_task(name)
    assert (len(task.train), len(task.test)) == REAL[name]
    said = [note.name for note in task.warnings if note.name.endswith("_part")]
    assert bool(said) is (name not in WHOLE)


def test_the_test_part_of_mrpc_and_stsb_is_public() -> None:
    needs("mrpc")
    assert len(named_task("mrpc", folder=DATA, held_out="test").test) == 1725
    assert len(named_task("stsb", folder=DATA, held_out="test").test) == 1379
    with pytest.raises(BadInput, match="cola has no test part with public labels"):
        named_task("cola", folder=DATA, held_out="test")
