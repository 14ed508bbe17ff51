"""Advice for files that are not UTF-8, with a guess of their encoding by trial decoding."""

from __future__ import annotations

import codecs
import re

_HAN, _KANA, _HANGUL = "\u4e00-\u9fff", "\u3040-\u30ff", "\uac00-\ud7a3"
_BYTES = 1 << 20
_MOSTLY, _PARTLY, _FEW, _ACCENTED = 0.8, 0.2, 0.1, 0.2
_EXCEL = "in Excel: Save As, CSV UTF-8"
_ICONV = "iconv -f {} -t UTF-8 OLD > NEW"


def to_utf8(data: bytes) -> str:
    """Return advice on saving a file as UTF-8: in Excel, and by a command if its encoding can be guessed.

    If no encoding is likely, none is guessed, as a wrong one would garble every character.

    Args:
        data: the bytes of the file.

    >>> to_utf8("这部电影非常好,好".encode("gb18030"))
    'save it as UTF-8 (in Excel: Save As, CSV UTF-8); it looks like Chinese: iconv -f GB18030 -t UTF-8 OLD > NEW'
    """
    if data[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        return f"save it as UTF-8 ({_EXCEL}), e.g. {_ICONV.format('UTF-16')}"
    start = data[:_BYTES]
    if _is_damaged(start):
        return "the rest is UTF-8: mend this byte, or export the file again"
    looks = _looks_like(start)
    guess = f"it looks like {looks[0]}: {_ICONV.format(looks[1])}" if looks else "or from its own encoding with iconv"
    return f"save it as UTF-8 ({_EXCEL}); {guess}"


def _is_damaged(data: bytes) -> bool:
    """Return whether data is UTF-8 with a few damaged bytes: nearly all characters outside ASCII are valid."""
    text = data.decode("utf-8", "replace")
    bad, beyond = text.count("\ufffd"), sum(letter > "\x7f" for letter in text)
    return bad < _FEW * beyond


def _looks_like(data: bytes) -> tuple[str, str] | None:
    """Return (likely language, its usual encoding), judged by the letters that the bytes decode to; None if unclear."""
    if (kana := _letter_share(data, "cp932", _KANA)) is not None and kana >= _PARTLY:
        return "Japanese", "CP932"
    if (hangul := _letter_share(data, "cp949", _HANGUL)) is not None and hangul >= _MOSTLY:
        return "Korean", "CP949"
    if (
        (han := _letter_share(data, "gb18030", _HAN)) is not None
        and han >= _MOSTLY / 2
        and not _has_isolated_accents(data)
    ):
        return "Chinese", "GB18030"
    return ("a Western European language", "WINDOWS-1252") if _has_isolated_accents(data) else None


def _letter_share(data: bytes, encoding: str, letters: str) -> float | None:
    """Return the share of `letters` among the characters outside ASCII; None if the encoding does not fit."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(data, final=False)
    beyond = [letter for letter in text if letter > "\x7f"]
    if not beyond or text.count("\ufffd") > 0:
        return None
    return len(re.findall(f"[{letters}]", text)) / len(beyond)


def _has_isolated_accents(data: bytes) -> bool:
    """Return whether bytes outside ASCII are few and stand alone among letters, as accents do."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    accents = re.findall(rb"[\x91-\x97\xc0-\xff]", data)
    total, beyond = len(data), sum(map(len, runs))
    alone = sum(len(run) == 1 for run in runs)
    return 2 * alone >= len(runs) and len(accents) >= _MOSTLY * beyond and beyond < _ACCENTED * total
