"""The captions of a `worth` record's charts: the title of each chart and the notes below it.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The captions are written from the tables of the record and stored in the record. Captions that depend on the seed alone
are findings named `caption.*`; captions that depend on measured times are among the timings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from wordworth.reports.captions import Caption
from wordworth.reports.number_format import finite, share
from wordworth.reports.worth.cost_captions import cost_caption, decision_caption
from wordworth.reports.worth.curve_captions import curves_caption
from wordworth.reports.worth.record_view import WorthView
from wordworth.reports.worth.reliability_diagrams import reliability_captions
from wordworth.reports.worth.scores_by_category import categories_caption

if TYPE_CHECKING:
    from wordworth.records import Record

_BY_LUCK = "one in 20 is by luck"
"""The share of comparisons that exceed their null if there is nothing to find: those with p at most 0.05."""


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `worth` record -> its caption."""
    view = WorthView.of(record)
    written = {"curves": curves_caption(view), "slices": slices_caption(view), "static": static_caption(view)}
    written["categories"] = categories_caption(view)
    timed = _present(view, {"cost": cost_caption(view), "decision": decision_caption(view)})
    return {
        **_present(view, written | reliability_captions(view)),
        **{chart: replace(caption, timed=True) for chart, caption in timed.items()},
    }


def _present(view: WorthView, captions: Mapping[str, Caption | None]) -> dict[str, Caption]:
    """Return the captions that are not None, with sentences that begin with a capital or with the name of a model."""
    write = view.sentences_of
    return {
        name: Caption(write(caption.title), tuple(map(write, caption.notes)), write(caption.absent))
        for name, caption in captions.items()
        if caption
    }


def slices_caption(view: WorthView) -> Caption | None:
    """Return the caption on easy and hard texts: how often the lead of contextual rungs is larger on hard texts."""
    rows = view.rows("slices")
    if not rows:
        return None
    compared = [row for row in rows if row["larger_on_hard"] is not None]
    if not compared:
        return Caption("No measure splits these texts into halves")
    against = {view.pair(row)[1] for row in rows}
    named = next(iter(against)) if len(against) == 1 else ""
    larger, beyond = (sum(bool(row[name]) for row in compared) for name in ("larger_on_hard", "survives_null"))
    gap = f"The gap to {view.title(named)}" if named in view.compared else "The gap to context"
    title = f"{gap} is larger on the hard half in {larger} of {len(compared)} comparisons"
    luck = f" ({_BY_LUCK})" if beyond else ""
    title = f"{title}, in {beyond or 'none'} of them by more than would be expected anyway{luck}"
    is_other = named and named not in view.compared
    return Caption(title, (f"The contextual rung is {view.title(named)} here.",) if is_other else ())


def static_caption(view: WorthView) -> Caption | None:
    """Return the caption on static tables: how much of an encoder's gain the first static table in the record keeps.

    The gain is the encoder's score minus the score of random vectors. The result is None for a record without such
    shares.
    """
    rows = view.rows("static_share")
    if not rows:
        return None
    encoder, floor = view.title(rows[0]["against"]), view.title(rows[0]["floor"])
    kept, low, high = (finite(rows[0][name]) for name in ("kept", "kept_low", "kept_high"))
    if kept is None:
        absent = f"{encoder} is not surely ahead of {floor}: there is no gain to have a share of."
        return Caption(f"{encoder} adds nothing that is sure, so there is nothing to keep", absent=absent)
    between = "" if low is None or high is None else f" ({share(low)} to {share(high)})"
    return Caption(f"A static table keeps {share(kept)}{between} of what {encoder} adds")
