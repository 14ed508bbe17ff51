"""Fields of settings classes: default, help and range in one place, which Python and the command line read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from wordworth.errors import BadInput, nearest_of_few
from wordworth.files import as_path
from wordworth.progress import require_progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ValidRange:
    """The range of a number.

    Attributes:
        holds: the test that a value must pass.
        words: the values that pass it, in words: the help of an option says them.
        why: what follows the words in the message about a value that does not pass.
    """

    holds: Callable[[float], bool]
    words: str
    why: str = ""


POSITIVE = ValidRange(lambda value: 0 < value < math.inf, "more than 0")


def at_least(least: float, why: str = "") -> ValidRange:
    """Return the range of finite numbers from `least` on; `why` follows it in the message."""
    return ValidRange(lambda value: least <= value < math.inf, f"{least:g} or more", why)


def setting(
    default: object,
    text: str,
    valid: ValidRange | None = None,
    *,
    flags: Sequence[str] = (),
    option: bool = True,
    noun: str = "",
) -> Any:  # noqa: ANN401 - the type of the field
    """Return a field of a settings class.

    Args:
        default: the default value.
        text: its help on the command line: what it decides, or of a switch what it does.
        valid: the range of a number, which `validate` checks.
        flags: its flags on the command line, if they are not made of the field's name.
        option: whether the command line has an option for it.
        noun: what a choice is called in messages, where the field's name is no noun.
    """
    metadata = {"help": text, "valid": valid, "flags": tuple(flags), "option": option, "noun": noun}
    return field(default=default, metadata=metadata)


def settings_of(settings: type[Any]) -> Iterator[tuple[Field[Any], tuple[Any, ...]]]:
    """Yield each field of a settings class with the members of its type (a union has several) other than None."""
    hints = get_type_hints(settings)
    for each in fields(settings):
        hint = hints[each.name]
        members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        yield each, tuple(member for member in members if member is not NoneType)


def validate(settings: Any, named: Callable[[str], str] | None = None) -> None:  # noqa: ANN401 - any dataclass
    """Make sure that a settings object holds a choice where its type is a `Literal`, and numbers in their ranges.

    Args:
        settings: the object.
        named: returns the name of a field in messages; that of its flag on the command line where not given.

    Raises:
        BadInput: a value is none of the choices, not a number, or out of range; None is accepted everywhere.
    """
    for each, members in settings_of(type(settings)):
        value = getattr(settings, each.name)
        if value is None:
            continue
        if len(members) == 1 and get_origin(members[0]) is Literal and value not in get_args(members[0]):
            mend = nearest_of_few(str(value), get_args(members[0]))
            noun = each.metadata.get("noun") or each.name.replace("_", "-")
            raise BadInput(f"no {noun} {value!r}", mend=mend)
        if each.metadata.get("valid") is not None:
            require_number((named or flag_of)(each.name), value, members[0], each.metadata["valid"])


def require_number(flag: str, value: object, kind: type[Any], valid: ValidRange) -> None:
    """Make sure that a value is a number, and in its range.

    Args:
        flag: the name of the setting for the message.
        value: the value.
        kind: int asks for a whole number.
        valid: the range.

    Raises:
        BadInput: it is not.
    """
    number, words = (Integral, "a whole number") if kind is int else (Real, "a number")
    if isinstance(value, bool) or not isinstance(value, number):
        raise BadInput(f"{flag} is {value!r}", mend=f"give {words}")
    if not valid.holds(value):  # type: ignore[arg-type]  # a real number, as just checked
        raise BadInput(f"{flag} {value} is out of range", mend=f"give {valid.words}{valid.why}")


def flag_of(name: str) -> str:
    """Return the flag on the command line of a setting: `--batch-size` of `batch_size`."""
    return f"--{name.replace('_', '-')}"


def out_of_range(settings: Any) -> Iterator[tuple[str, float, str]]:  # noqa: ANN401 - any dataclass
    """Yield (field name, value, the values that pass in words) for each number out of its range; None always passes."""
    for each in fields(settings):
        valid, value = each.metadata.get("valid"), getattr(settings, each.name)
        if valid is not None and value is not None and not valid.holds(value):
            yield each.name, value, f"{valid.words}{valid.why}"


def settings_from(arguments: Mapping[str, Any], settings: type[T]) -> T:
    """Return a settings object made of a function's arguments: each field has the argument of its name.

    A field without an argument keeps its default; where a field is a tuple, an argument may be any sequence, or one
    item.

    Args:
        arguments: name -> value, such as the `locals()` of a function that has begun; other names are left out.
        settings: the settings class, a dataclass.

    An `out` and a `progress` among the arguments, which are no settings, are checked as well.

    Raises:
        BadInput: a value is no text where the field is one, or cannot be used; the settings class says why.
    """
    if arguments.get("out") is not None:
        as_path(arguments["out"], "--out")
    if "progress" in arguments:
        require_progress(arguments["progress"])
    chosen = {}
    for each, members in settings_of(settings):
        if each.init and each.name in arguments:
            chosen[each.name] = _as_field(arguments[each.name], members)
            if members == (bool,) and chosen[each.name] is not each.default:
                require_truth(flag_of(each.name), chosen[each.name])
            elif _of_texts(members):
                _require_texts(flag_of(each.name), chosen[each.name], optional=each.default is None)
    return settings(**chosen)


def _as_field(value: object, members: tuple[Any, ...]) -> object:
    """Return a value as a field of this type holds it: as a tuple where the type is one."""
    if value is None or not any(get_origin(member) is tuple for member in members):
        return value
    if isinstance(value, str | Path):
        return value if str in members else (value,)
    return tuple(value) if isinstance(value, Iterable) else (value,)


def _of_texts(members: tuple[Any, ...]) -> bool:
    """Return whether a type holds nothing but texts and paths: one, several, or either."""
    kinds = {kind for member in members for kind in (get_args(member) if get_origin(member) is tuple else (member,))}
    return kinds <= {str, Path, ...}


def require_truth(flag: str, value: object) -> None:
    """Check that a switch is True or False: Python would take any text for true.

    Args:
        flag: the name of the setting for the message.
        value: the value.

    Raises:
        BadInput: it is neither.
    """
    if type(value).__name__ not in {"bool", "bool_"}:  # numpy's too, which need not be installed
        raise BadInput(f"{flag} is {value!r:.60}", mend="give True or False")


def _require_texts(flag: str, value: object, *, optional: bool) -> None:
    """Refuse what is neither a text nor a path: a column named by a number, say, or a model in memory.

    None passes where it is `optional`.
    """
    if value is None and not optional:
        raise BadInput(f"{flag} is None, not a text", mend="give a name or a path, or leave it out")
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, Integral):
            mend = f"give a name as a text: '{item}'"
            raise BadInput(f"{flag} is {item} ({type(item).__name__}), not a text", mend=mend)
        if not isinstance(item, str | PathLike | None):
            raise BadInput(f"{flag} is of type {type(item).__name__}, not a text", mend="give a name or a path")


def parse_duration(text: str) -> float:
    """Return the seconds of a duration as users write it.

    >>> [parse_duration(text) for text in ("90s", "30m", "1.5h", "1h30m", "2d")]
    [90.0, 1800.0, 5400.0, 5400.0, 172800.0]

    Raises:
        BadInput: the text is not a duration.
    """
    units = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
    total, number = 0.0, ""
    for letter in text.strip().lower():
        if letter in units and _is_plain_number(number):
            total, number = total + float(number) * units[letter], ""
        else:
            number += letter
    if number or total <= 0:
        raise BadInput(f"{text!r} is not a duration", mend="write 30m, 1.5h or 90s")
    return total


def _is_plain_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
