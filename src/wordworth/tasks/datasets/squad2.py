"""SQuAD 2.0: which words of a paragraph answer a question, if any do? Rajpurkar et al. 2018."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING

TASK = DatasetSpec(
    name="squad2",
    title="Which words of this paragraph answer the question, if any do?",
    source="SQuAD 2.0, Rajpurkar et al. 2018",
    kind=QUESTION_ANSWERING.name,
    metrics=("span_f1", "exact_match"),
    folders=("squad_v2", "squad2", "squad"),
    layouts=(
        FileLayout(files={"train": "train-v2.0.json", "dev": "dev-v2.0.json"}, read=read_questions),
        FileLayout(
            files={"train": "squad_v2/train-*.parquet", "dev": "squad_v2/validation-*.parquet"},
            read=read_questions,
            hub="rajpurkar/squad_v2",
        ),
    ),
    sizes={"train": 130_319, "dev": 11_873},
)
