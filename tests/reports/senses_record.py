"""A record of the study of senses, made with made-up readers on made-up words."""

import pytest
from tests.studies.senses import made_up, test_wic

from wordworth.progress import SILENT
from wordworth.records import Record
from wordworth.studies.senses import study as whole
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import read_pairs


def example() -> Record:
    """Two models, one set of tagged words, one of pairs."""
    readers = {"m": made_up.MadeUp(), "t": made_up.Static()}
    sets = [made_up.made_up(240), read_pairs("wic", test_wic.table(), None, 0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "open_reader", lambda name, _: readers[name])
        patch.setattr(whole, "read_sets", lambda _: sets)
        return whole.study(SensesSettings(models=("m", "t"), draws=100, pool=60, shown=12), SILENT)
