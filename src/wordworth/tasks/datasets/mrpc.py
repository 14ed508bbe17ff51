"""MRPC: do two sentences of the news say the same? Dolan and Brockett 2005."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

_CLASSES = ("0", "1")


def _rows(part: str) -> TextTableReader:
    """Return the reader of a part: a column says which rows of the official training part are GLUE's dev part."""
    return TextTableReader(
        first="text_a", second="text_b", label="label", classes=_CLASSES, only_rows_with=("glue_split", part)
    )


TASK = DatasetSpec(
    name="mrpc",
    title="Do these two sentences of the news say the same?",
    source="GLUE's MRPC, Dolan and Brockett 2005",
    kind=PAIR_CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("f1:1", "accuracy"),
    folders=("mrpc", "MRPC"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(first="#1 String", second="#2 String", label="Quality", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "train.csv", "test": "test.csv"},
            read={
                "train": _rows("train"),
                "dev": _rows("dev"),
                "test": TextTableReader(first="text_a", second="text_b", label="label", classes=_CLASSES),
            },
        ),
        FileLayout(
            files={"train": "mrpc/train-*.parquet", "dev": "mrpc/validation-*.parquet", "test": "mrpc/test-*.parquet"},
            read=TextTableReader(first="sentence1", second="sentence2", label="label", classes=_CLASSES),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 3668, "dev": 408, "test": 1725},
)
