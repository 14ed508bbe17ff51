"""DREAM: questions on dialogues, one of three answers (Sun et al. 2019)."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.dialogues import read_dialogues
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

TASK = DatasetSpec(
    name="dream",
    title="Which answer fits this dialogue?",
    source="DREAM, Sun et al. 2019",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("dream",),
    layouts=(FileLayout(files={"train": "train.json", "dev": "dev.json", "test": "test.json"}, read=read_dialogues),),
    sizes={"train": 6116, "dev": 2040, "test": 2041},
)
