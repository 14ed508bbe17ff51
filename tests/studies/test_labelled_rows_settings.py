"""Settings of studies that score a model on labelled rows: columns, metric and the limit on rows go to the reader."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.studies.heads.settings import HeadsSettings
from wordworth.studies.labelled_rows_settings import LabelledRows


@pytest.mark.parametrize("settings", [LabelledRows, HeadsSettings, FinetuningChangesSettings])
def test_columns_metric_and_limit_are_read_by_and_a_limit_of_few_rows_is_refused(settings):
    read = settings(text="body", text_b="other", label="mark", metric="macro_f1", limit=200).read
    assert (read.text, read.text_b, read.label, read.metric, read.limit) == ("body", "other", "mark", "macro_f1", 200)
    with pytest.raises(BadInput, match=r"limit. 39 is out of range; give 40 or more"):
        settings(limit=39)
