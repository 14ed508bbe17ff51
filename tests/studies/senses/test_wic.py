import numpy as np
import pytest
from tests.studies.senses.made_up import CUES, MadeUp, Static

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.senses import wic
from wordworth.studies.senses.wic import read_pairs
from wordworth.text.file_formats.table import TextTable


def table(number=400, seed=0, **changes):
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(number):
        split = "train" if n % 2 else "test" if n % 4 else "dev"
        senses = list(CUES["bank"])
        same = bool(rng.integers(2))
        first = int(rng.integers(2))
        chosen = (senses[first], senses[first if same else 1 - first])
        cues = [str(rng.choice(CUES["bank"][sense])) for sense in chosen]
        rows.append((split, "bank", "0-1", f"bank {cues[0]} here", f"{cues[1]} bank there", "T" if same else "F"))
    names = ("split", "word", "indices", "sentence1", "sentence2", "label")
    columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return TextTable({**columns, **changes}, "pairs.tsv", "0" * 64, range(2, number + 2))


def rows(model, **changes):
    found = wic.cosines(model, read_pairs("pairs", table(**changes), None, 0), SILENT)
    return list(wic.pair_rows(model.name, found, 200, 0))


def test_a_static_table_cannot_know_one_sense_from_two():
    (row,) = rows(Static())
    assert row["threshold"] in (-np.inf, np.inf)
    assert row["test"] == row["chance"]


def test_a_model_that_sees_context_can():
    found = rows(MadeUp())
    assert found[0]["test"] == found[0]["chance"]
    assert found[1]["low"] > found[1]["chance"]
    assert [row["chosen"] for row in found] == [False, True]


def test_the_threshold_is_fitted_on_train_alone():
    read = read_pairs("pairs", table(), None, 0)
    found = wic.cosines(MadeUp(), read, SILENT)
    before = [row["threshold"] for row in wic.pair_rows("m", found, 100, 0)]
    found.values[read.in_split("test")] = 1.0
    assert [row["threshold"] for row in wic.pair_rows("m", found, 100, 0)] == before


def test_fewer_pairs_may_be_read_of_each_split():
    read = read_pairs("pairs", table(), 12, 0)
    assert [int(read.in_split(split).sum()) for split in ("train", "dev", "test")] == [12, 12, 12]


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("indices", "2", "indices are '2'"),
        ("indices", "0-9", "indices 0-9 are beyond"),
        ("label", "maybe", "label is 'maybe'"),
        ("split", "validation", "split is 'validation'"),
    ],
)
def test_a_pair_that_cannot_be_read_is_named_by_its_line(column, value, said):
    wrong = table().columns[column]
    wrong[1] = value
    with pytest.raises(BadInput, match=f"line 3: .*{said}"):
        read_pairs("pairs", table(**{column: wrong}), None, 0)


def test_without_a_test_part_or_a_column_it_says_so():
    with pytest.raises(BadInput, match="split 'test'"):
        read_pairs("pairs", table(split=["train"] * 400), None, 0)
    short = table()
    with pytest.raises(BadInput, match="no column 'label'"):
        read_pairs(
            "pairs",
            TextTable({k: v for k, v in short.columns.items() if k != "label"}, "p", "", short.positions),
            None,
            0,
        )
