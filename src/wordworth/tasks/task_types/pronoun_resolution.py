"""Pronoun resolution: which of several candidates a pronoun refers to, in texts such as Winograd schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.pronoun_gaps import PronounGap, gap_examples, gap_in, pronoun_part
from wordworth.tasks.formats.pronoun_rows import candidates_in
from wordworth.tasks.task_types.multiple_choice import MultipleChoice
from wordworth.tasks.task_types.prediction_cells import RowCells
from wordworth.tasks.task_types.wording import Wording
from wordworth.text.read_compressed_file import RawFile

_GAP = "[…]"


class PronounResolution(MultipleChoice):
    """The kind of task in which the referent of a pronoun is chosen among candidates.

    The task is a multiple choice whose options are the candidates, each put in the pronoun's place. `Examples.first` is
    the text before the pronoun and `second` the text after it. Examples with the same `first` are resampled together
    and stay in one part of a split. The two sentences of a Winograd schema are such examples, as they begin alike.
    """

    name, former_name = "pronoun_resolution", ""
    hub_task = ""
    wording = Wording(examples="pronouns", baseline="Guessing", baseline_name="guessing")
    head = "wordworth.training.task_heads.masked_candidates:make_head"
    transformers_head = "MaskedLM"
    max_tokens = 128
    pooled, fills_masks, scores_options = False, True, False
    file_columns = "text, pronoun, candidates and answer"
    renamable = ()

    def read_part(self, file: RawFile, named: Mapping[str, Any]) -> Part:
        """Read a file of pronoun problems as a part of a data set.

        The file has the columns text (or sentence), pronoun, candidates (with | between them, or a list) and answer.

        Args:
            file: the file.
            named: not used.
        """
        return pronoun_part(file)

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """Return rows as examples: the texts before and after the pronouns, with the candidates as options.

        Args:
            rows: the rows.
            pairs: not used.
        """
        return gap_examples([_gap(row) for row in rows])

    def shown_once(self, first: str, second: str) -> tuple[str, str]:
        """Return the text with a gap for the pronoun as the key of an example; the HTML report lists each key once.

        Args:
            first: the text before the pronoun.
            second: the text after the pronoun.
        """
        return first + _GAP + second, ""

    def texts(self, first: str, second: str, words: Sequence[str] = ()) -> tuple[str, str]:
        """Return (text with a gap mark in the place of the pronoun, "") to show an example in the HTML report.

        Args:
            first: the text before the pronoun.
            second: the text after the pronoun.
            words: not used.
        """
        return self.shown_once(first, second)


PRONOUN_RESOLUTION = PronounResolution()


def _gap(row: RowCells) -> PronounGap:
    pronoun = row.cell("pronoun").strip()
    gap = gap_in(row.cell("text"), pronoun, candidates_in(row.cell("candidates"), row.where), row.where)
    if gap is None:
        mend = "write [MASK] in its place, in the text and in the column of pronouns"
        raise BadInput(f"the pronoun {pronoun!r:.40} stands more than once", where=row.where, mend=mend)
    return gap
