"""HellaSwag: what happens next? Endings that fooled a model (Zellers et al. 2019)."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

_READ = Choices(first="ctx_a", second="ctx_b", options=("endings",), label="label")

TASK = DatasetSpec(
    name="hellaswag",
    title="How does this go on?",
    source="HellaSwag, Zellers et al. 2019",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("hellaswag",),
    layouts=(
        FileLayout(files={"train": "hellaswag_train.jsonl", "dev": "hellaswag_val.jsonl"}, read=_READ),
        FileLayout(
            files={"train": "data/train-*.parquet", "dev": "data/validation-*.parquet"},
            read=_READ,
            hub="Rowan/hellaswag",
        ),
    ),
    sizes={"train": 39_905, "dev": 10_042},
)
