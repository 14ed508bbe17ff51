"""`Plan`: the fraction of training passed before each step, for a run of a number of steps or of a time budget."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_json

_MEND = "remove this file, and the remaining steps are planned anew; or put the run's own back"
_MOST_STEPS = 10**12


class Segment(NamedTuple):
    """A segment of a plan, in which the fraction of training passed grows linearly with the steps.

    Attributes:
        first: the step with which the segment begins.
        passed: the fraction of training passed before that step.
        end: the step before which all of the training has passed, unless a later segment moves the end.
    """

    first: int
    passed: float
    end: int

    def fraction(self, step: float) -> float:
        """Return the fraction of training passed before a step; exactly 1 from step `end` on."""
        if step >= self.end:
            return 1.0
        return min(self.passed + (1 - self.passed) * (step - self.first) / (self.end - self.first), 1.0)


@dataclass(slots=True)
class Plan:
    """The fraction of training that has passed before each step, as a sequence of linear segments.

    Learning rates, phases and evaluations are functions of this fraction. A run with a time budget moves its end by
    adding a segment. Segments are recorded and never changed, so that a run resumed at any checkpoint makes the same
    steps.
    """

    segments: list[Segment]

    @classmethod
    def of(cls, steps: int) -> Plan:
        """Return the plan of a run of `steps` steps, at least one."""
        return cls([Segment(0, 0.0, max(steps, 1))])

    @classmethod
    def read(cls, path: Path) -> Plan | None:
        """Read the plan of a run from its file; return None if the file does not exist.

        Raises:
            BadInput: the file is damaged.
        """
        if not path.exists():
            return None
        raw = read_json(path, _MEND)
        if not _is_plan(raw):
            raise BadInput("this is not the plan of a run", where=str(path), mend=_MEND)
        return cls([Segment(*segment) for segment in raw])

    def write(self, path: Path) -> None:
        """Write the plan of a run to a file.

        Raises:
            BadInput: the disk is full.
        """
        write_text(path, json.dumps(self.segments) + "\n")

    @property
    def steps(self) -> int:
        """Number of steps of the whole run, as currently planned."""
        return self.segments[-1].end

    def fraction(self, step: float) -> float:
        """Return the fraction of training passed before a step; 1 from the end of the plan on.

        >>> Plan.of(100).fraction(25)
        0.25
        """
        return next(segment for segment in reversed(self.segments) if segment.first <= step).fraction(step)

    def first_step(self, share: float) -> int:
        """Return the first step before which at least a fraction `share` of training has passed.

        >>> Plan.of(100).first_step(0.9)
        90
        """
        segment = next(segment for segment in reversed(self.segments) if segment.passed <= share)
        guess = (
            segment.first
            + math.floor((share - segment.passed) / (1 - segment.passed) * (segment.end - segment.first))
            - 1
        )
        return next(
            step for step in range(max(guess, segment.first), segment.end + 1) if segment.fraction(step) >= share
        )

    def revise(self, step: int, left: int) -> None:
        """Move the end of the run: add a segment to the plan.

        Args:
            step: the step at which the segment begins.
            left: number of steps that the run has left from this step; less than 1 counts as 1.
        """
        self.segments = [*self.segments, Segment(step, self.fraction(step), step + max(left, 1))]

    def revised_at(self, step: int) -> bool:
        """Return whether the plan has a segment that begins at `step` or later."""
        return self.segments[-1].first >= step


def _is_plan(raw: object) -> bool:
    """Return whether a JSON value is what `Plan.write` writes: segments from step 0 on, none of which is empty."""
    if not isinstance(raw, list) or not raw or not all(isinstance(segment, list) for segment in raw):
        return False
    if any(len(segment) != len(Segment._fields) for segment in raw):
        return False
    whole = all(type(segment[0]) is int and type(segment[2]) is int for segment in raw)
    share = all(isinstance(segment[1], int | float) and 0 <= segment[1] <= 1 for segment in raw)
    if not whole or not share:
        return False
    firsts = [segment[0] for segment in raw]
    return firsts[0] == 0 and firsts == sorted(firsts) and all(segment[0] < segment[2] < _MOST_STEPS for segment in raw)


def steps_within(seconds: float, seconds_a_token: float, share: float, phases: Iterable[tuple[float, int]]) -> int:
    """Return the number of further steps that a run can make in the time that is left.

    Args:
        seconds: the seconds that are left.
        seconds_a_token: seconds per token at the present speed.
        share: the fraction of the run that has passed.
        phases: for each phase, in order, (fraction at which it begins, number of tokens of each of its steps).
    """
    bounds = [*phases, (1.0, 0)]
    left = [(max(end - max(begin, share), 0.0), tokens) for (begin, tokens), (end, _) in pairwise(bounds)]
    tokens_a_step = sum(part * tokens for part, tokens in left) / max(1 - share, 1e-9)
    return max(1, round(seconds / (seconds_a_token * max(tokens_a_step, 1))))
