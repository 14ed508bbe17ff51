"""WNLI: does a sentence with its pronoun resolved follow from the sentence? Levesque et al. 2012; Wang et al. 2019.

The split is adversarial: most dev sentences are also in the training part, often with the opposite label, so that
trained models score below the majority class. Devlin et al. 2019 leave WNLI out.
"""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

_CLASSES = ("0", "1")

TASK = DatasetSpec(
    name="wnli",
    title="Does the sentence with its pronoun resolved follow from the sentence?",
    source="GLUE's WNLI, Wang et al. 2019",
    kind=PAIR_CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("accuracy",),
    folders=("wnli", "WNLI"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(first="sentence1", second="sentence2", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "dev.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "wnli/train-*.parquet", "dev": "wnli/validation-*.parquet"},
            read=TextTableReader(first="sentence1", second="sentence2", label="label", classes=_CLASSES),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 635, "dev": 71},
)
