"""RTE: does one sentence follow from another? Dagan et al. 2006 and its successors, joined by Wang et al. 2019."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

_CLASSES = ("entailment", "not_entailment")

TASK = DatasetSpec(
    name="rte",
    title="Does the second sentence follow from the first?",
    source="GLUE's RTE, Wang et al. 2019",
    kind=PAIR_CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("accuracy",),
    folders=("rte", "RTE"),
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
            files={"train": "rte/train-*.parquet", "dev": "rte/validation-*.parquet"},
            read=TextTableReader(
                first="sentence1",
                second="sentence2",
                label="label",
                classes=_CLASSES,
                class_names={"0": "entailment", "1": "not_entailment"},
            ),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 2490, "dev": 277},
)
