"""Definite pronoun resolution: pairs of similar sentences whose pronoun refers to different nouns (Rahman and Ng 2012).

Also called WSCR. Its tables have the columns sentence, pronoun, candidates (with | between them) and answer.
"""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.pronoun_gaps import pronoun_part
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION

TASK = DatasetSpec(
    name="dpr",
    title="What does the pronoun stand for?",
    source="DPR, Rahman and Ng 2012",
    kind=PRONOUN_RESOLUTION.name,
    metrics=("accuracy",),
    folders=("senses/winograd", "winograd"),
    layouts=(FileLayout(files={"train": "dpr_train.tsv", "test": "dpr_test.tsv"}, read=pronoun_part),),
    sizes={"train": 1322, "test": 564},
)
