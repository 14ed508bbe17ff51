"""Settings that cannot be are refused."""

from pathlib import Path

import pytest
from tests.tasks.reading.rows import reviews, task_of

from wordworth.errors import BadInput


def test_a_limit_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'x' is not a number of rows; give a whole number"):
        task_of(tmp_path, reviews(), limit="x")
