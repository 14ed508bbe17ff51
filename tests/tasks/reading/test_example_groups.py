"""Which examples are drawn together when a test part is drawn again."""

import pytest

from wordworth.tasks.reading.example_groups import group_ids
from wordworth.tasks.task import Examples

WORDS = (("a",), ("b",), ("c",))


@pytest.mark.parametrize(
    ("kind", "examples", "found"),
    [
        ("single", Examples(("a", "b", "a")), [0, 1, 0]),
        ("pair", Examples(("a", "a", "b"), ("x", "y", "x")), [0, 0, 1]),
        ("span", Examples(("who?", "what?", "who?"), ("x", "x", "y")), [0, 0, 1]),
        ("tags", Examples(("a", "b", "c"), words=WORDS, documents=(4, 4, 6)), [0, 0, 1]),
        ("tags", Examples(("a", "a", "a"), words=WORDS), [0, 1, 2]),
        ("tags", Examples(("a", "b", "c"), words=WORDS, documents=(0, 0, 0)), [0, 1, 2]),
        ("choice", Examples(("a", "a"), options=(("x", "y"),) * 2), [0, 1]),
    ],
)
def test_a_paragraphs_questions_a_premises_hypotheses_and_a_documents_sentences_hang_together(kind, examples, found):
    assert group_ids(kind, examples).tolist() == found
