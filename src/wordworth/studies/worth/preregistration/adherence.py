"""`Adherence`: the comparison of a study with its preregistration, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from wordworth.json_file import differing
from wordworth.records import Finding

if TYPE_CHECKING:
    from wordworth.studies.worth.preregistration.preregistration_file import Preregistration

_SECTIONS = ("wordworth", "settings", "split", "rule", "rungs", "rows")
_HASH = re.compile(r"[0-9a-f]{64}")
_LONGEST = 80
"""Most characters of a value that are quoted: an edited file may hold anything."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry of a preregistration from which the study departed.

    Attributes:
        entry: name of the entry.
        planned, actual: the value of the entry in the preregistration and in the study, as text.
    """

    entry: str
    planned: str
    actual: str

    def __str__(self) -> str:
        return f"{self.entry} {_short(self.planned)} → {_short(self.actual)}"


@dataclass(frozen=True, slots=True)
class Adherence:
    """The comparison of a study with its preregistration.

    Attributes:
        sha256: the SHA-256 of the preregistration as its file now is.
        frozen_at: time at which the preregistration was written, according to its file, in UTC.
        differences: the entries that differ; empty if the study followed its preregistration.
    """

    sha256: str
    frozen_at: str
    differences: tuple[Difference, ...]

    @classmethod
    def of(cls, plan: Preregistration, actual: Mapping[str, Any]) -> Self:
        """Compare a preregistration with the study that has run.

        Args:
            plan: the preregistration.
            actual: what decided the study's verdict, as `with_outcome` returns it.
        """
        edited = [Difference("hash of the file, which was edited,", _words(plan.stated), plan.sha256)]
        return cls(
            plan.sha256,
            plan.frozen_at[:_LONGEST],
            (*(edited if plan.stated != plan.sha256 else ()), *differences(plan.fields, actual)),
        )

    def columns(self) -> dict[str, Any]:
        """Return the comparison of the study with its preregistration as plain data, for the record."""
        listed = [asdict(difference) for difference in self.differences]
        return {
            "sha256": self.sha256,
            "frozen_at": self.frozen_at,
            "kept": not self.differences,
            "differences": listed,
        }

    def finding(self) -> Finding:
        """Return the finding on how the study followed its preregistration; a warning if the study departed from it."""
        plan = f"the plan that was frozen on {self.frozen_at[:10]} (SHA-256 {_short(self.sha256)})"
        if not self.differences:
            return Finding("method.preregistration", f"This study kept to {plan}.", self.columns())
        listed = "; ".join(map(str, self.differences))
        text = f"This study did not keep to {plan}. Planned and done differ in: {listed}."
        return Finding("warning.preregistration", text, self.columns())


def differences(planned: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield each entry that differs between the planned and the actual contents of a study, section by section.

    Planned and actual contents are mappings as the function `contents` returns them.
    """
    for section in _SECTIONS:
        first, second = _entries(section, planned.get(section)), _entries(section, actual.get(section))
        for entry in differing(first, second):
            yield Difference(_words(entry), _words(first.get(entry)), _words(second.get(entry)))


def _entries(section: str, value: object) -> dict[str, Any]:
    """Return title of each entry of a section -> its value; the title of a setting is its name, without the section."""
    if not isinstance(value, Mapping):
        return {section: value}
    before = {"settings": "", "rungs": "rung "}.get(section, f"{section} ")
    return {before + (name if section == "rungs" else name.replace("_", " ")): inner for name, inner in value.items()}


def _words(value: object) -> str:
    """Return a value as text of at most `_LONGEST` characters."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))[:_LONGEST] or "none"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return "none" if value is None else text[:_LONGEST]


def _short(value: str) -> str:
    """Return the value, shortened to its first 12 digits if it is a hash."""
    return f"{value[:12]}…" if _HASH.fullmatch(value) else value
