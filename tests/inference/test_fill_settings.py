import pytest

from wordworth.errors import BadInput
from wordworth.inference.fill_mask import fill
from wordworth.inference.fill_settings import FillSettings


def test_no_guesses_are_refused_before_the_model_is_read():
    with pytest.raises(BadInput, match="`top` 0 is out of range; give 1 or more"):
        fill("nothere/", "a [MASK].", top=0)
    assert FillSettings().top == 5
