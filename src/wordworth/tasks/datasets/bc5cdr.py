"""BC5CDR: names of chemicals and diseases in abstracts of medicine (Li et al. 2016)."""

from wordworth.tasks.formats.conll import ConllReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.tagging import TAGGING

_READ = ConllReader(("Chemical", "Disease"))

TASK = DatasetSpec(
    name="bc5cdr",
    title="Which words name a chemical or a disease?",
    source="BC5CDR in IOB, Li et al. 2016",
    kind=TAGGING.name,
    classes=_READ.classes,
    metrics=("entity_f1",),
    folders=("bc5cdr", "BC5CDR-IOB"),
    layouts=(
        FileLayout(files={"train": "train.tsv", "dev": "devel.tsv", "test": "test.tsv"}, read=_READ),
        FileLayout(files={"train": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}, read=_READ),
    ),
    sizes={"train": 4560, "dev": 4581, "test": 4797},
)
