"""SQuADShifts, new Wikipedia articles: SQuAD's own way of asking, on other articles (Miller et al. 2020).

Made as a test set for models trained on SQuAD 1.1. If SQuAD's training part is not at hand, models can learn from this
set instead (`learn_from="squadshifts_new_wiki"`) and be tested on SQuAD 1.1. Such a score must be reported with this
fact, since the set has only a seventh of the size of SQuAD's training part.
"""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING


def shift(name: str, file: str, texts: str, questions: int) -> DatasetSpec:
    """Return one of the test sets of SQuADShifts.

    Args:
        name: the data set's name in Wordworth.
        file: the published name of the test set, which is also the name of its file.
        texts: the kind of text that the questions are about, for the title.
        questions: the published number of questions.
    """
    return DatasetSpec(
        name=name,
        title=f"Which words of {texts} answer the question?",
        source="SQuADShifts, Miller et al. 2020",
        kind=QUESTION_ANSWERING.name,
        metrics=("span_f1", "exact_match"),
        folders=("squad_shifts", "squadshifts", file),
        layouts=(FileLayout(files={"test": f"{file}_v1.0.json"}, read=read_questions),),
        train_from="squad1",
        sizes={"test": questions},
    )


TASK = shift("squadshifts_new_wiki", "new_wiki", "this paragraph of Wikipedia", 7938)
