"""The files of a published data set, as they lie on this machine."""

from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task
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


def test_all_parts_come_from_one_copy(tmp_path: Path, monkeypatch) -> None:
    """A training part of one layout and a dev part of another could share rows."""
    write(tmp_path, {"cola/train.tsv": OFFICIAL["cola"][0], "cola/dev.csv": "text,label\nx,1\n"})
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda _: None)
    with pytest.raises(
        BadInput, match=r"the dev part of cola is not on this machine; put dev\.tsv .* into \$WORDWORTH_DATA/cola/"
    ):
        named_task("cola")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere: there is no such folder; check the path"):
        named_task("cola", folder=tmp_path / "nowhere")


def test_packed_files_count_too(tmp_path: Path) -> None:
    import gzip

    text = OFFICIAL["cola"][0]
    write(tmp_path, {"train.tsv": text})
    (tmp_path / "dev.tsv.gz").write_bytes(gzip.compress(text.encode()))
    assert len(named_task("cola", folder=tmp_path).test) == 2
