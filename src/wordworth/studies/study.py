"""`Study`, the definition of a study, and helpers to time the work of a study and to make its `Record`."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.package_versions import PACKAGES, version
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding, Record, Table
from wordworth.settings_validation import validate
from wordworth.studies.report_folder import ReportFolder

if TYPE_CHECKING:
    from wordworth.tasks.examples import Origin


_WHERE = frozenset({"threads", "device"})


@dataclass(frozen=True, slots=True)
class Study:
    """The definition of a study, with the function that returns its record.

    Attributes:
        kind: the kind of the study's records, and the study's name on the command line.
        help: what the study does, in a sentence.
        settings: a frozen dataclass; its fields, made by `settings_validation.setting`, are the options.
        run: function that is called with `settings`, `progress` and the inputs as keyword arguments, and returns the
            record.
        inputs: name of each input that is needed in addition to the settings -> its description.
    """

    kind: str
    help: str
    settings: type[Any]
    run: Callable[..., Record]
    inputs: Mapping[str, str]

    def __call__(
        self,
        *,
        out: Path | str | None = None,
        progress: Progress = SILENT,
        **choices: Any,  # noqa: ANN401 - the inputs, and the fields of the settings
    ) -> Record:
        """Run the study and return its record.

        Args:
            out: a folder for record.json and report.html; None writes nothing.
            progress: receives progress and messages.
            choices: the inputs, and fields of the settings.

        Raises:
            BadInput: an input is missing, a choice cannot be used, or the folder cannot be written to.
        """
        missing = [name for name in self.inputs if name not in choices]
        if missing:
            raise BadInput(f"the study {self.kind} needs {missing[0]}", mend=f"give {self.inputs[missing[0]]}")
        inputs = {name: choices.pop(name) for name in self.inputs}
        return self.answer(self.settings(**choices), out=out, progress=progress, **inputs)

    def answer(
        self,
        settings: object,
        *,
        out: Path | str | None,
        progress: Progress,
        **inputs: Any,  # noqa: ANN401 - an input is of any type
    ) -> Record:
        """Run the study with an object of settings, and return its record.

        Args:
            settings: an object of the study's settings class.
            out: a folder for record.json and report.html; None writes nothing.
            progress: receives progress and messages.
            inputs: the inputs by name.

        Raises:
            BadInput: an input or a setting cannot be used, or the folder cannot be written to.
        """
        validate(settings)
        folder = ReportFolder.of(out, self.kind)
        return folder.write(self.run(settings=settings, progress=progress, **inputs))


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Time the body of the `with` statement, and write the seconds into `seconds[name]`."""
    began = time.monotonic()
    yield
    seconds[name] = round(time.monotonic() - began, 3)


def file_name(path: Path | str | None) -> str | None:
    """Return the name of a file or folder without its parent folders, as records name it; None for None."""
    return None if path is None else Path(path).name


def source_facts(origins: Iterable[Origin]) -> list[dict[str, Any]]:
    """Return name, SHA-256 and number of rows of each distinct file that a study read, for the `data` of a record."""
    files = {origin.sha256: origin for origin in origins}
    return [{"path": Path(file.path).name, "sha256": file.sha256, "rows": file.rows} for file in files.values()]


def make_record(  # noqa: PLR0913 - the parts of a record
    kind: str,
    settings: object,
    data: Mapping[str, Any],
    *,
    tables: Mapping[str, Table],
    findings: Sequence[Finding],
    seconds: Mapping[str, float],
    timings: Mapping[str, Any] | None = None,
) -> Record:
    """Return the record of a study; the record's description of the environment says that each process had one thread.

    Args:
        kind: the kind of record.
        settings: the study's settings, as a dataclass or as name -> value.
        data: description of the data that were studied.
        tables: name of each table of results -> the table.
        findings: the verdict, warnings and method, in sentences.
        seconds: name of each part of the work -> the seconds that it took.
        timings: name -> value of everything else that was timed, such as the speed of models.
    """
    fields = dict(settings) if isinstance(settings, Mapping) else asdict(settings)  # type: ignore[call-overload]  # a dataclass
    return Record(
        kind=kind,
        settings=fields,
        data=data,
        tables=tables,
        findings=findings,
        timings={"seconds": dict(seconds), **(timings or {})},
        environment=environment(threads=1),
    )


def merged_settings(*settings: Any) -> dict[str, Any]:  # noqa: ANN401 - dataclasses of settings
    """Return name -> value of the settings of several dataclasses, without `threads` and `device`.

    No result depends on `threads` and `device`, which only say where the work is done.
    """
    return {name: value for each in settings for name, value in asdict(each).items() if name not in _WHERE}


def environment(threads: int) -> dict[str, Any]:
    """Return the environment for a record: versions, Python, system, processor, cores, `threads` and the date (UTC)."""
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": threads,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def _cpu() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return model or platform.processor() or "unknown"
