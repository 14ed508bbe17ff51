"""The lead of contextual rungs on published data sets: a prior for the lead on texts of one's own.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The lead is the score of the better of two contextual rungs, frozen MiniLM alone or beside TF-IDF, minus the score of
the best cheap rung, on the metric's scale. The leads are from two sets of studies: in `docs/records/validity.json`,
rungs learned from 960 labels and were scored on up to 2,000 new texts; in `docs/records/paper.json`, rungs learned from
all labelled examples of a data set, 786 to 8,000. WNLI is left out: of its 71 test rows the lead is mostly chance. A
test computes the numbers again from these records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from wordworth.measures.prior_from_other_data_sets import DataSetPrior
from wordworth.records import Finding
from wordworth.sentence_formatting import points_phrase, signed, signed_range

if TYPE_CHECKING:
    from wordworth.studies.worth.study_result import StudyResult

_NORMAL = 1.96

LEADS: Mapping[str, tuple[float, ...]] = {
    "ag_news": (0.0155, 0.0181),
    "cola": (-0.0005, 0.0002, 0.0731),
    "hate_offensive": (0.0214, 0.0276),
    "mpqa": (0.0292, 0.0344, 0.0255),
    "mr": (0.0632, 0.0549, 0.0268),
    "subj": (0.0330, 0.0376, 0.0216),
    "sms_spam": (-0.0003, 0.0001),
    "trec": (0.0822, 0.0846, 0.0500),
    "sst5": (0.0380, 0.0590),
    "tweet_emotion": (0.0628, 0.0648),
    "tweet_hate": (0.0194, 0.0075),
    "mrpc": (0.0116, 0.0249, 0.0135),
    "qqp": (0.0654, 0.0670, 0.0563),
    "stsb": (0.0651, 0.0672, 0.0419),
    "goemotions": (0.0381,),
    "conll2003": (0.0221, 0.0075),
    "cr": (0.0530,),
    "sst2": (0.0225,),
    "rte": (0.0217,),
    "qnli": (0.0179,),
    "mnli": (0.0408,),
}
"""Data set -> the lead of context in each study."""
CONTEXTUAL = ("minilm", "tfidf+minilm")
"""The contextual rungs of which the better one has the lead in `LEADS`."""
CHEAP = ("tfidf", "glove", "wordllama")
"""The cheap rungs of which the best one is compared with the contextual rung."""
FEWEST, MOST = 600, 8_000
"""The range of numbers of labelled examples on which the leads were measured, and for which they are used."""
PRIOR = DataSetPrior.of(LEADS.values())
"""The distribution of the lead on one more data set, estimated from `LEADS`."""


def before_labels() -> str:
    """Return a sentence on the lead of contextual rungs on published data sets, with an interval for a new data set."""
    span = PRIOR.interval()
    return (
        f"On {len(LEADS)} published sets, with 786 to 8,000 labels, frozen MiniLM, alone or beside TF-IDF, was ahead "
        f"of the best cheap rung by {points_phrase(PRIOR.mean)} on average; on one more, it is ahead by as "
        f"many points as lie in this interval ({signed_range(span.low, span.high)})."
    )


def with_other_data_sets(study: StudyResult) -> Iterator[Finding]:
    """Yield a finding on the lead of contextual rungs: as measured, and combined with leads on published data sets.

    The published leads are the prior `PRIOR`.

    Nothing is yielded for a study that did not measure all rungs in `CHEAP` and `CONTEXTUAL`, that has fewer than
    `FEWEST` or more than `MOST` labels, or whose lead has a standard error of 0.
    """
    measured = {result.rung.name for result in study.measured}
    if not measured.issuperset({*CHEAP, *CONTEXTUAL}) or not FEWEST <= study.labels <= MOST:
        return
    cheap = study.best_of(study.measured_names(contextual=False))
    contextual = study.best_of([name for name in study.measured_names(contextual=True) if name in CONTEXTUAL])
    if cheap is None or contextual is None:
        return
    pair = contextual.rung.name, cheap.rung.name
    gap, span = study.scores.gap(*pair, study.labels), study.scores.gap_interval(*pair, study.labels)
    error = (span.high - span.low) / (2 * _NORMAL)
    if error == 0:
        return
    middle, joint = PRIOR.with_measured(gap, error)
    text = (
        f"{contextual.rung.title} minus {cheap.rung.title}: by these labels alone {signed(gap)} points ("
        f"{signed_range(span.low, span.high)}); with what {len(LEADS)} other data sets show of frozen MiniLM, "
        f"{signed(middle)} points ({signed_range(joint.low, joint.high)}). The verdict rests on these labels alone."
    )
    numbers = {
        "rung": pair[0],
        "against": pair[1],
        "gap": gap,
        **span.columns(),
        "with_others": middle,
        **joint.columns("with_others_"),
        "data_sets": len(LEADS),
    }
    yield Finding("method.other_data_sets", text, numbers)
