"""XNLI in Korean: does one sentence follow from another? KorNLI, Ham et al. 2020.

Models learn from MNLI's English.
"""

from wordworth.tasks.datasets.mnli import CLASSES
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

TASK = DatasetSpec(
    name="xnli_ko",
    title="Does the second sentence follow from the first? (Korean)",
    source="KorNLI's XNLI, Ham et al. 2020",
    kind=PAIR_CLASSIFICATION.name,
    classes=CLASSES,
    metrics=("accuracy",),
    folders=("xnli_ko", "KorNLI"),
    layouts=(
        FileLayout(
            files={"dev": "xnli.dev.ko.tsv", "test": "xnli.test.ko.tsv"},
            read=TextTableReader(first="sentence1", second="sentence2", label="gold_label", classes=CLASSES),
        ),
        FileLayout(
            files={"dev": "dev.csv", "test": "test.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=CLASSES),
        ),
    ),
    train_from="mnli",
    sizes={"dev": 2490, "test": 5010},
)
