"""QNLI: does a sentence hold the answer to a question? Made from SQuAD by Wang et al. 2019."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

_CLASSES = ("entailment", "not_entailment")

TASK = DatasetSpec(
    name="qnli",
    title="Does this sentence hold the answer to the question?",
    source="GLUE's QNLI, Wang et al. 2019",
    kind=PAIR_CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("accuracy",),
    folders=("qnli", "QNLI"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(first="question", second="sentence", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "dev.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "qnli/train-*.parquet", "dev": "qnli/validation-*.parquet"},
            read=TextTableReader(
                first="question",
                second="sentence",
                label="label",
                classes=_CLASSES,
                class_names={"0": "entailment", "1": "not_entailment"},
            ),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 104_743, "dev": 5463},
)
