"""QQP: do two questions ask the same? Quora 2017."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

_CLASSES = ("0", "1")

TASK = DatasetSpec(
    name="qqp",
    title="Do these two questions ask the same?",
    source="GLUE's QQP, Quora 2017",
    kind=PAIR_CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("f1:1", "accuracy"),
    folders=("qqp", "QQP"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(
                first="question1", second="question2", label="is_duplicate", classes=_CLASSES, name="id"
            ),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "dev.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "train_holdout.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=_CLASSES),
            notes={"dev": "rows of the official training part, not of the dev part: no published score is on them"},
        ),
        FileLayout(
            files={"train": "qqp/train-*.parquet", "dev": "qqp/validation-*.parquet"},
            read=TextTableReader(first="question1", second="question2", label="label", classes=_CLASSES),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 363_846, "dev": 40_430},
)
