"""What a user does where the verdict of a study `worth` names a rung that the study has not written as a model.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.records import RECORD, read
from wordworth.settings_validation import flag_of
from wordworth.sources import FINETUNED_SUFFIX, short_name

if TYPE_CHECKING:
    from wordworth.records import Record

_COLUMNS = ("text", "text_b", "label", "kind", "format")
"""The settings by which another command reads the file of a study."""
_MEASURED_ON = ("skip_unusable", "limit", "group", "time", "test", "metric")
"""The settings by which `finetune` reads the same rows as a study, splits them alike and has the same metric."""


def unwritten_verdict(run: Path) -> BadInput | None:
    """Return the error for a study `worth` that has not written the model that its verdict names.

    Args:
        run: a folder without a model; the result is None if it holds no such study.
    """
    if not (run / RECORD).is_file():
        return None
    try:
        record = read(run / RECORD)
        named = record.finding("verdict").numbers["rung"] if record.kind == "worth" else None
        families = {row["rung"]: row["family"] for row in record.tables["ladder"].rows()}
        file = Path(str(record.data["name"]))
    except (BadInput, KeyError):
        return None
    if named is None:
        return None
    if families.get(named) == "constant":
        what, mend = "it gives every text the same answer", "run wordworth worth on more labels"
    elif command := finetune_command(record, file, run):
        target = quote(str(finetuned_folder(run)))
        what, mend = "`worth` does not write it as a model", f"make it with {command} and then give {target}"
    elif families.get(named) == "frozen" and named in [
        Path(file).stem for file in record.settings.get("vectors") or ()
    ]:
        what = "the file that holds your vectors has none of new texts, so that no model can be made of it"
        mend = "name another rung with --rung"
    else:
        what, mend = "the study has not written it", "run the study again, or name another rung with --rung"
    return BadInput(f"the verdict of this study names {named!r}, and {what}", where=str(run), mend=mend)


def finetune_command(record: Record, data: Path, run: Path) -> str:
    """Return the command that makes the fine-tuned model that a verdict names; "" if it names another rung.

    Args:
        record: the record of the study.
        data: the file that was studied.
        run: the folder of the study; the model's folder will lie beside it.
    """
    rung, settings = str(record.finding("verdict").numbers.get("rung", "")), record.settings
    model = next(
        (each for each in settings.get("models") or () if rung == f"{short_name(each)}{FINETUNED_SUFFIX}"), None
    )
    if model is None:
        return ""
    read_as = f"--data {quote(str(data))}{column_options(settings, (*_COLUMNS, *_MEASURED_ON))}"
    target = quote(str(finetuned_folder(run)))
    return f"wordworth finetune {read_as} --model {quote(model)} --restarts 1 --out {target}"


def finetuned_folder(run: Path) -> Path:
    """Return the folder for the fine-tuned model that a verdict names: beside the folder of the study, or in `.`.

    >>> finetuned_folder(Path("studies/run")).as_posix()
    'studies/run-finetuned'
    """
    return (
        run / f"model{FINETUNED_SUFFIX}" if run.name in ("", "..") else run.with_name(f"{run.name}{FINETUNED_SUFFIX}")
    )


def column_options(settings: Mapping[str, Any], names: Sequence[str] = _COLUMNS) -> str:
    """Return the command-line options by which a command reads a file as the settings do, each with a space before it.

    Args:
        settings: name of each setting -> its value, as in the record of a study.
        names: the settings that become options; a setting without a value is left out.
    """
    options = ""
    for name in names:
        value, flag = settings.get(name), f" {flag_of(name)}"
        if isinstance(value, bool):
            options += flag if value else ""
            continue
        for each in value if isinstance(value, list | tuple) else () if value is None else (value,):
            options += f"{flag} {quote(str(each))}"
    return options
