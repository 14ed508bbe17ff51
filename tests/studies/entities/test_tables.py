"""Every column of the tables is explained, and runs that failed leave gaps instead of numbers."""

import numpy as np

from wordworth.studies.entities.comparison import SystemRuns
from wordworth.studies.entities.systems import LinkCounts
from wordworth.studies.entities.tables import tables_of
from wordworth.studies.finetune.results import Scored
from wordworth.training.finetuning.run_result import HyperParameters, Result


def test_a_system_whose_runs_failed_has_no_score():
    point = HyperParameters(learning_rate=1e-3, batch_size=8, epochs=1.0)
    failed = Result(hyper_parameters=point, seed=0, state="failed", steps=4)
    runs = SystemRuns("linked", point, (failed,), Scored("accuracy", "accuracy", np.zeros(0), np.nan, np.nan), 0)
    tables = tables_of([runs], {}, [LinkCounts("train", 3, 2, 4, 2, 0), LinkCounts("test", 3, 1, 1, 1, 1)])
    (score,) = tables["scores"].rows()
    assert (score["runs"], score["score"], score["low"]) == (0, None, None)
    assert [row["test"] for row in tables["runs"].rows()] == [None]
    assert [row["unseen"] for row in tables["links"].rows()] == [0, 1]


def test_every_column_is_explained(entities_study):
    for table in entities_study[1].tables.values():
        assert all(table.columns.values())
