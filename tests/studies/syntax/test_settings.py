"""What the study `syntax` refuses of its settings."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.syntax.settings import SyntaxSettings


@pytest.mark.parametrize(("name", "value"), [("limit", 7), ("rank", 0), ("draws", 99)])
def test_numbers_out_of_range_are_refused(name, value):
    with pytest.raises(BadInput, match=name):
        SyntaxSettings(**{name: value})
