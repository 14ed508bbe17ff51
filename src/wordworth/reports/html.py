"""Rendering of templates as self-contained HTML documents, which run only their own scripts and load nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from wordworth.reports.charts import palette

_VISIBLE = (
    {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
    | {0x7F: "␡"}
    | dict.fromkeys(range(0x80, 0xA0), "\ufffd")
    | dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Control character -> visible symbol for it; characters that change the direction of text -> None, to remove them."""

_CODE = re.compile(r"(<script\b.*?</script>|<style\b.*?</style>)", re.DOTALL)
_PERCENT = re.compile(r"(?<=\d) %")
_LARGE = re.compile(r'(?<=<)(?:h[1-3]|summary|p class="sentences")\b[^>]*>[^<]*')
_BETWEEN_CAPITALS = re.compile(r"(?<=[A-Z])-(?=[A-Z])")


def document(template: str, *, scripts: tuple[str, ...] = (), sounds: bool = False, **view: Any) -> str:  # noqa: ANN401 - a template takes any view
    """Render a template as a whole HTML document, with strings escaped, and styles and scripts inline.

    The security policy names the hashes of styles and scripts. Lone surrogates, which UTF-8 cannot encode, become
    replacement characters.

    Args:
        template: name of the template.
        scripts: names of scripts that the page has besides the script of all pages.
        sounds: whether the page plays sounds that are embedded in it.
        view: values for the template.
    """
    style, script = _style(), "".join(map(_asset, ("page.js", *scripts)))
    page = _environment().get_template(template)
    html = page.render(**view, style=Markup(style), script=Markup(script), policy=_policy(style, script, sounds=sounds))  # noqa: S704 - our own files
    return strip_control_chars(_keep_together(html.encode("utf-8", "replace").decode("utf-8")))


def fragment(template: str, **view: Any) -> str:  # noqa: ANN401 - as `document`
    """Render a template as a part of another HTML document: with strings escaped, without styles and scripts.

    Args:
        template: name of the template.
        view: values for the template.
    """
    html = _environment().get_template(template).render(**view)
    return strip_control_chars(html.encode("utf-8", "replace").decode("utf-8"))


def _keep_together(html: str) -> str:
    """Return HTML in which no line breaks between a number and its `%` or, in large type, inside `TF-IDF + linear`.

    Styles and scripts, whose hashes are pinned, stay as they are.
    """
    parts = _CODE.split(html)
    return "".join(part if index % 2 else _joined(part) for index, part in enumerate(parts))


def _joined(html: str) -> str:
    together = _PERCENT.sub("\u00a0%", html)
    return _LARGE.sub(lambda large: _unbroken(large[0]), together)


def _unbroken(large: str) -> str:
    return _BETWEEN_CAPITALS.sub("-\u2060", large).replace(" + ", "\u00a0+\u00a0")


def _policy(style: str, script: str, *, sounds: bool) -> str:
    """Return a Content-Security-Policy that allows this style and script only, and no request to leave the page."""
    allowed = {
        "default-src": "'none'",
        "style-src": _hash_source(style),
        "script-src": _hash_source(script),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        **({"media-src": "data:"} if sounds else {}),
    }
    return "; ".join(f"{what} {source}" for what, source in allowed.items())


def _hash_source(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@cache
def _asset(name: str) -> str:
    return files("wordworth.reports").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    return palette.css() + _asset("style.css")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("wordworth.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def strip_control_chars(text: str) -> str:
    r"""Replace control characters by visible symbols, so that they cannot distort the page.

    >>> strip_control_chars("a\x00b\x1b")
    'a␀b␛'
    """
    return text.translate(_VISIBLE)
