"""STS-B: how alike in meaning are two sentences, from 0 to 5? Cer et al. 2017."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.regression import REGRESSION

TASK = DatasetSpec(
    name="stsb",
    title="How alike in meaning are these two sentences, from 0 to 5?",
    source="GLUE's STS-B, Cer et al. 2017",
    kind=REGRESSION.name,
    metrics=("spearman", "pearson"),
    folders=("stsb", "STS-B"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(first="sentence1", second="sentence2", label="score"),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "dev.csv", "test": "test.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="score"),
        ),
        FileLayout(
            files={"train": "stsb/train-*.parquet", "dev": "stsb/validation-*.parquet"},
            read=TextTableReader(first="sentence1", second="sentence2", label="label"),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 5749, "dev": 1500, "test": 1379},
)
