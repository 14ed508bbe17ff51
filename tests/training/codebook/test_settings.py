"""The settings of `symbols learn`."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.codebook.settings import CodebookSettings


def test_the_usual_codes_are_those_of_the_paper():
    settings = CodebookSettings()
    assert settings.k**settings.depth == 20_736


@pytest.mark.parametrize(("k", "depth", "message"), [(1, 4, "out of range"), (12, 0, "out of range"), (99, 9, "codes")])
def test_what_makes_no_tree_is_refused(k, depth, message):
    with pytest.raises(BadInput, match=message):
        CodebookSettings(k=k, depth=depth)
