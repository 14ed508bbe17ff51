"""XQuAD: which words of a paragraph answer the question, in twelve languages? Artetxe et al. 2020.

The same 1,190 questions, translated: `xquad` is the English questions, `xquad:de` the German questions. They come from
the dev part of SQuAD 1.1, and have no training part. Models learn from the English training part of SQuAD 1.1, and must
never learn from SQuAD's dev part.
"""

from wordworth.errors import BadInput, nearest
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.squad import read_questions
from wordworth.tasks.task_types.question_answering import QUESTION_ANSWERING

LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")


def variant(language: str) -> DatasetSpec:
    """Return the data set XQuAD in one of its languages.

    Args:
        language: the code of the language.

    Raises:
        BadInput: `language` is not the code of one of the twelve languages.
    """
    if language not in LANGUAGES:
        raise BadInput(f"XQuAD has no language {language!r}", mend=nearest(language, LANGUAGES))
    return DatasetSpec(
        name="xquad" if language == "en" else f"xquad:{language}",
        title=f"Which words of this paragraph answer the question? ({language})",
        source="XQuAD, Artetxe et al. 2020",
        kind=QUESTION_ANSWERING.name,
        metrics=("span_f1", "exact_match"),
        folders=("xquad",),
        layouts=(FileLayout(files={"test": f"xquad.{language}.json"}, read=read_questions),),
        train_from="squad1",
        sizes={"test": 1190},
    )


TASK = variant("en")
