"""SWAG: what happens next? One of four endings (Zellers et al. 2018)."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

_READ = Choices(first="sent1", second="sent2", options=("ending0", "ending1", "ending2", "ending3"), label="label")

TASK = DatasetSpec(
    name="swag",
    title="How does this go on?",
    source="SWAG, Zellers et al. 2018",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("swag",),
    layouts=(
        FileLayout(files={"train": "train.csv", "dev": "val.csv"}, read=_READ),
        FileLayout(
            files={"train": "regular/train-*.parquet", "dev": "regular/validation-*.parquet"},
            read=_READ,
            hub="allenai/swag",
        ),
    ),
    sizes={"train": 73_546, "dev": 20_006},
)
