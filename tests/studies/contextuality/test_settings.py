"""Settings that cannot be are refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.contextuality.settings import ContextSettings


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"units": "word"}, "no units 'word'; did you mean 'words'"),
        ({"pooling": "max"}, "no pooling"),
        ({"dtype": "float16"}, "no dtype .float16.; did you mean .bfloat16."),
        ({"contexts": 1}, "`contexts` 1 is out of range"),
        ({"models": ()}, "no model was given"),
        ({"models": ("a", "a")}, "given twice"),
    ],
)
def test_a_choice_out_of_range_is_told(choice, said):
    with pytest.raises(BadInput, match=said):
        ContextSettings(**choice)
