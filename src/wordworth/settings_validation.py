"""`setting`: a dataclass field with default, help and valid range; and the checks of settings objects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from wordworth.errors import BadInput, nearest_of_few
from wordworth.files import as_path
from wordworth.progress import require_progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ValidRange:
    """The valid range of a number.

    Attributes:
        holds: returns whether a value is in the range.
        words: the range in words, such as "1 or more", for the option's help and for messages.
        why: the reason for the range, appended to `words` in the message about a value outside it.
    """

    holds: Callable[[float], bool]
    words: str
    why: str = ""


POSITIVE = ValidRange(lambda value: 0 < value < math.inf, "more than 0")
SHARE = ValidRange(lambda share: 0 <= share < 1, "0 or more and less than 1, such as 0.2")
LEARNING_RATE = ValidRange(lambda rate: 0 < rate < 1, "more than 0 and less than 1")


def at_least(least: float, why: str = "") -> ValidRange:
    """Return the range of finite numbers of at least a given number.

    Args:
        least: the smallest valid number.
        why: the reason for the range, for messages.
    """
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
        text: help of the option: what the setting decides or, for a switch, what the flag does.
        valid: the valid range of a number, which `validate` checks.
        flags: flags of the option; by default one flag made of the field's name.
        option: whether the command line has an option for the setting.
        noun: noun for the setting in the message about an unknown choice; by default the field's name.
    """
    metadata = {"help": text, "valid": valid, "flags": tuple(flags), "option": option, "noun": noun}
    return field(default=default, metadata=metadata)


def settings_of(settings: type[Any]) -> Iterator[tuple[Field[Any], tuple[Any, ...]]]:
    """Yield each field of a settings class with the members of its type, such as `(int,)` for `int | None`.

    The members of a union are its types other than None. A type that is no union is its own only member.
    """
    hints = get_type_hints(settings)
    for each in fields(settings):
        hint = hints[each.name]
        members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        yield each, tuple(member for member in members if member is not NoneType)


def validate(settings: Any, named: Callable[[str], str] | None = None) -> None:  # noqa: ANN401 - any dataclass
    """Check the values of a settings object: choices of fields of a `Literal` type, numbers in their valid ranges.

    None is accepted for every field.

    Args:
        settings: the object, of a settings dataclass.
        named: returns the name by which messages call a field; by default the field's flag, as `flag_of` returns it.

    Raises:
        BadInput: a value is not one of the choices, not a number, or out of range.
    """
    for each, members in settings_of(type(settings)):
        value = getattr(settings, each.name)
        if value is None:
            continue
        if len(members) == 1 and get_origin(members[0]) is Literal and value not in get_args(members[0]):
            mend = nearest_of_few(str(value), get_args(members[0]))
            noun = each.metadata.get("noun") or each.name.replace("_", "-")
            raise BadInput(f"no {noun} {value!r}", where=(named or flag_of)(each.name), mend=mend)
        if each.metadata.get("valid") is not None:
            require_number((named or flag_of)(each.name), value, members[0], each.metadata["valid"])


def require_number(flag: str, value: object, kind: type[Any], valid: ValidRange) -> None:
    """Check that a value is a number in its valid range.

    Args:
        flag: the flag of the setting, for the message.
        value: the value.
        kind: `int` if the value must be a whole number; `float` if it may be any number.
        valid: the valid range.

    Raises:
        BadInput: the value is no number of this kind, or is out of range.
    """
    number, words = (Integral, "a whole number") if kind is int else (Real, "a number")
    if isinstance(value, bool) or not isinstance(value, number):
        raise BadInput(f"{flag} is {value!r}", mend=f"give {words}")
    if not valid.holds(value):  # type: ignore[arg-type]  # a real number, as just checked
        raise BadInput(f"{flag} {value} is out of range", mend=f"give {valid.words}{valid.why}")


def require_shared_by_heads(width: int, heads: int) -> None:
    """Check that the width of a model's states is a multiple of its number of attention heads.

    Args:
        width: width of a state.
        heads: number of attention heads.

    Raises:
        BadInput: the width is not a multiple of the number of heads.
    """
    if width % heads:
        raise BadInput(f"--width {width} cannot be shared by {heads} heads", mend="give a multiple of --heads")


def flag_of(name: str) -> str:
    """Return the command line flag of a setting: `--batch-size` for `batch_size`."""
    return f"--{name.replace('_', '-')}"


def out_of_range(settings: Any) -> Iterator[tuple[str, float, str]]:  # noqa: ANN401 - any dataclass
    """Yield (field name, value, valid range in words) for each number out of its valid range; None is always valid."""
    for each in fields(settings):
        valid, value = each.metadata.get("valid"), getattr(settings, each.name)
        if valid is not None and value is not None and not valid.holds(value):
            yield each.name, value, f"{valid.words}{valid.why}"


def settings_from(arguments: Mapping[str, Any], settings: type[T]) -> T:
    """Return a settings object whose fields have the values of a function's arguments of the same names.

    A field without an argument has its default. The argument for a field of a tuple type may be any sequence, or a
    single item. The arguments `out` and `progress`, which are not settings, are checked as well.

    Args:
        arguments: name -> value, such as the `locals()` at the start of a function; names without a field are ignored.
        settings: the settings class, a dataclass.

    Raises:
        BadInput: the value of a text field is not a str or path, the value of a switch is not True or False, or the
            settings class refuses a value.
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
    """Return the value of an argument for a field: a path as a str for a `str` field, items as a tuple for a tuple."""
    if members == (str,) and isinstance(value, PathLike):
        return fspath(value)
    if value is None or not any(get_origin(member) is tuple for member in members):
        return value
    if isinstance(value, str | Path):
        return value if str in members else (value,)
    return tuple(value) if isinstance(value, Iterable) else (value,)


def _of_texts(members: tuple[Any, ...]) -> bool:
    """Return whether all members of a type are str, Path, or tuples of these."""
    kinds = {kind for member in members for kind in (get_args(member) if get_origin(member) is tuple else (member,))}
    return kinds <= {str, Path, ...}


def require_truth(flag: str, value: object) -> None:
    """Check that the value of a switch is True or False: Python would take any non-empty text for true.

    Args:
        flag: the flag of the setting, for the message.
        value: the value.

    Raises:
        BadInput: the value is neither True nor False.
    """
    if type(value).__name__ not in {"bool", "bool_"}:  # numpy's too, which need not be installed
        raise BadInput(f"{flag} is {value!r:.60}", mend="give True or False")


def _require_texts(flag: str, value: object, *, optional: bool) -> None:
    """Refuse a value that is neither a str nor a path, such as a column's number or a model in memory.

    None passes if it is `optional`.
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
    """Parse a duration as users write it for the setting `budget`, and return its seconds.

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
        raise BadInput(f"{text!r} is not a duration", where="--budget", mend="write 30m, 1.5h or 90s")
    return total


def _is_plain_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
