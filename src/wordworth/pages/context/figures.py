"""How this page writes its values: cosines and shares to two decimals in a title, to three in a table."""

from __future__ import annotations

from wordworth.pages.numbers import ABSENT, finite


def written(value: object) -> str:
    """Two decimals; a dash where there is no value."""
    found = finite(value)
    if found is None:
        return ABSENT
    words = f"{found:.2f}" if abs(found) < 100 else f"{found:.0f}"  # noqa: PLR2004 - lengths may be large
    return words.replace("-", "−") if float(words) else "0.00"


def exact(value: object) -> str:
    """Three decimals; a dash where there is no value."""
    found = finite(value)
    return ABSENT if found is None else f"{found:.3f}".replace("-", "−")
