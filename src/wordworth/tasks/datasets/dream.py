"""DREAM: which of three answers to a question on a dialogue is right? Sun et al. 2019."""

from __future__ import annotations

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.text.read_compressed_file import RawFile

_SHAPE = 'DREAM\'s files are lists of [[turn, ...], [{"question", "choice": [...], "answer"}, ...], id]'


def _read_dialogues(file: RawFile) -> Part:
    """Read a file of DREAM: each question is an example, with its dialogue as `first` and the question as `second`.

    The turns of a dialogue are joined by spaces. The id of a question is the id of the dialogue, a slash and the
    question's number in the dialogue, from 0.

    Raises:
        BadInput: the file is not one of DREAM's, or an answer is not one of its choices.
    """
    rows: list[tuple[str, str, str, tuple[str, ...], int]] = []
    try:
        for turns, questions, name in parse_json(file.text()):
            for number, entry in enumerate(questions):
                choices = tuple(entry["choice"])
                if entry["answer"] not in choices:
                    what = f"question {number} of dialogue {name!r}: its answer is not one of its choices"
                    raise BadInput(what, where=file.path, mend="fetch the file again")  # noqa: TRY301 - here it is known
                rows.append(
                    (f"{name}/{number}", " ".join(turns), entry["question"], choices, choices.index(entry["answer"]))
                )
    except BadInput:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"this is not one of DREAM's files: {error}", where=file.path, mend=_SHAPE) from error
    if not rows:
        raise BadInput("there are no questions in this file", where=file.path, mend=_SHAPE)
    ids, first, second, options, labels = zip(*rows, strict=True)
    examples = Examples(first, second, options=options, ids=ids)
    return Part(examples, np.array(labels, dtype=np.int64), (origin(file, len(rows)),))


TASK = DatasetSpec(
    name="dream",
    title="Which answer fits this dialogue?",
    source="DREAM, Sun et al. 2019",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("dream",),
    layouts=(FileLayout(files={"train": "train.json", "dev": "dev.json", "test": "test.json"}, read=_read_dialogues),),
    sizes={"train": 6116, "dev": 2040, "test": 2041},
)
