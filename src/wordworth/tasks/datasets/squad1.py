"""SQuAD 1.1: which words of a paragraph answer a question? Rajpurkar et al. 2016."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING

TASK = DatasetSpec(
    name="squad1",
    title="Which words of this paragraph answer the question?",
    source="SQuAD 1.1, Rajpurkar et al. 2016",
    kind=QUESTION_ANSWERING.name,
    metrics=("span_f1", "exact_match"),
    folders=("squad_v1", "squad1", "squad"),
    layouts=(
        FileLayout(files={"train": "train-v1.1.json", "dev": "dev-v1.1.json"}, read=read_questions),
        FileLayout(
            files={"train": "plain_text/train-*.parquet", "dev": "plain_text/validation-*.parquet"},
            read=read_questions,
            hub="rajpurkar/squad",
        ),
    ),
    sizes={"train": 87_599, "dev": 10_570},
)
