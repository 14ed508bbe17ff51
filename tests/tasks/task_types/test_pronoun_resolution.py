"""Which candidate a pronoun stands for: multiple choice whose options stand in the pronoun's place."""

from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.tasks.examples import Examples
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION


def row(text, pronoun="she", candidates="Ann|Joan"):
    cells = {"text": text, "pronoun": pronoun, "candidates": candidates}
    return SimpleNamespace(where="f.tsv, line 7", cell=lambda role, needed=True: cells[role])  # noqa: ARG005 - as a row


def test_it_is_scored_and_answered_as_multiple_choice():
    assert task_types.get("pronoun_resolution").learned_as == ("pronoun_resolution", "multiple_choice")
    answer = PRONOUN_RESOLUTION.answer(np.array([0.0, np.log(3)]), (), ("Ann", "Joan"))
    assert answer == {"choice": 1, "option": "Joan", "probabilities": [0.25, 0.75]}


def test_rows_to_predict_need_no_answer():
    examples = PRONOUN_RESOLUTION.input_examples([row("Ann saw Joan as she left.")], pairs=True)
    assert examples == Examples(("Ann saw Joan as ",), (" left.",), options=(("Ann", "Joan"),))
    with pytest.raises(BadInput, match=r"f.tsv, line 7: the pronoun 'she' stands more than once"):
        PRONOUN_RESOLUTION.input_examples([row("she said she left.")], pairs=True)


def test_sentences_that_begin_alike_are_resampled_together():
    examples = Examples(("Ann saw Joan as ", "Ann saw Joan as "), (" left.", " came."), options=(("Ann", "Joan"),) * 2)
    assert len(set(PRONOUN_RESOLUTION.clusters(examples))) == 1


def test_a_reader_sees_the_text_with_its_gap():
    assert PRONOUN_RESOLUTION.texts("Ann saw Joan as ", " left.") == ("Ann saw Joan as […] left.", "")
