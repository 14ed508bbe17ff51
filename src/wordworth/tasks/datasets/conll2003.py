"""CoNLL-2003: persons, places, organisations and other names in English news (Tjong Kim Sang and De Meulder 2003).

testa is the dev part, testb the test part. Original files follow IOB1, many copies IOB2; both give the same tags here.
"""

from wordworth.tasks.formats.conll import ConllReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.tagging import TAGGING

_READ = ConllReader(("LOC", "MISC", "ORG", "PER"))

TASK = DatasetSpec(
    name="conll2003",
    title="Which words name persons, places, organisations or other things?",
    source="CoNLL-2003 English, Tjong Kim Sang and De Meulder 2003",
    kind=TAGGING.name,
    classes=_READ.classes,
    metrics=("entity_f1",),
    folders=("conll2003",),
    layouts=(
        FileLayout(files={"train": "eng.train", "dev": "eng.testa", "test": "eng.testb"}, read=_READ),
        FileLayout(files={"train": "train.txt", "dev": "valid.txt", "test": "test.txt"}, read=_READ),
    ),
    sizes={"train": 14_041, "dev": 3250, "test": 3453},
)
