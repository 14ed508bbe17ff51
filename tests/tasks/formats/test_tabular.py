"""Tables of published data sets: every character counts, and a bad cell is named with its line."""

from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

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


def test_quotation_marks_are_characters_like_others(tmp_path: Path) -> None:
    text = PAIRS.format("1", "0")
    task = named_task("wnli", folder=write(tmp_path, {"train.tsv": text, "dev.tsv": text}))
    assert task.examples.first[0] == 'It "rains.'


def test_a_label_outside_the_classes_is_named_with_its_line(tmp_path: Path) -> None:
    text = PAIRS.format("entailment", "not_entailed")
    with pytest.raises(BadInput, match=r"train\.tsv, line 3: label 'not_entailed'; did you mean 'not_entailment'"):
        named_task("rte", folder=write(tmp_path, {"train.tsv": text, "dev.tsv": text}))


def test_a_score_that_is_no_number_is_named_with_its_line(tmp_path: Path) -> None:
    text = OFFICIAL["stsb"][0].replace("0.5", "half")
    with pytest.raises(BadInput, match="line 3: label 'half' is not a number"):
        named_task("stsb", folder=write(tmp_path, {"train.tsv": text, "dev.tsv": text}))
