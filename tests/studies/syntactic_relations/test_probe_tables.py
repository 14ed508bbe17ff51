"""The tables of probes: the best first, what is published beside it, missing where it was not measured."""

import numpy as np

from wordworth.measures.bootstrap import Interval
from wordworth.studies.syntactic_relations.probe_scores import BEST_OFFSET, Difference, ProbeScores
from wordworth.studies.syntactic_relations.probe_tables import DIFFERENCES, PROBES, probe_tables
from wordworth.studies.syntactic_relations.probe_training import ATTENTION, WORDS, ProbeResult
from wordworth.training.probes.train_probe import ProbeRun


def test_rows_are_the_best_first_and_missing_values_are_none():
    ends = Interval(0.1, 0.9)
    scores = ProbeScores(
        words=12,
        scores={BEST_OFFSET: (0.3, ends), ATTENTION: (0.6, ends), WORDS: (0.2, ends)},
        again={ATTENTION: (-0.01, Interval(-0.02, 0.01))},
        differences=[Difference(ATTENTION, other, 0.1, ends, other == WORDS) for other in (WORDS, "right-branching")],
        probes={ATTENTION: ProbeResult(np.zeros(1), np.zeros(1), 0.1, ProbeRun((2.0, 1.5, 1.75), 2), 145)},
    )
    tables = probe_tables(scores)
    attention, offset, words = tables["probes"].rows()
    assert [row["system"] for row in (attention, offset, words)] == [ATTENTION, BEST_OFFSET, WORDS]
    assert attention["published"] == 0.61
    assert (attention["passes"], attention["held_out_loss"], attention["parameters"]) == (2, 1.5, 145)
    assert (attention["again"], attention["again_low"]) == (-0.01, -0.02)
    assert {offset[name] for name in ("published", "again", "again_high", "parameters", "rate")} == {None}
    first, second = tables["probe_differences"].rows()
    assert (first["published"], second["published"]) == (None, 0.347)
    assert set(tables["probes"].columns) == set(PROBES)
    assert set(tables["probe_differences"].columns) == set(DIFFERENCES)
