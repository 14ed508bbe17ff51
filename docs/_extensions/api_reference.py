"""A Sphinx extension that writes the API reference: a page for each public name.

Before a build `docs/api/generated/` receives a page for each name of `wordworth.__all__`, each settings class, each
class of `TYPES` and `EXTENSION_POINTS` and each module of `MODULES`. The directive `api-group` lists a group of these
names with the first sentence of each.
"""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "api/generated"
AFTER_NAPOLEON = 600
TYPES = (
    "wordworth.errors.BadInput",
    "wordworth.models.hidden_states.States",
    "wordworth.models.text_encoder.TextEncoder",
    "wordworth.progress.Progress",
    "wordworth.tasks.task.Task",
)
"""Types of what the public functions take and return, where they are not public names themselves."""
EXTENSION_POINTS = (
    "wordworth.representations.representation.Representation",
    "wordworth.representations.rung.Rung",
    "wordworth.representations.rung.Learner",
    "wordworth.tasks.formats.dataset_spec.DatasetSpec",
    "wordworth.tasks.task_types.base.TaskType",
    "wordworth.training.objectives.objective.Objective",
    "wordworth.models.families.base.Family",
    "wordworth.studies.study.Study",
    "wordworth.text.file_formats.base.FileFormat",
)
"""The classes that the pages of `docs/extending` derive from or make."""
MODULES = ("wordworth.sklearn", "wordworth.integrations", "wordworth.testing")
"""Modules and packages that are documented whole, as far as they exist."""
SETTINGS_IN = (
    "wordworth.tasks.reading",
    "wordworth.studies",
    "wordworth.training",
    "wordworth.inference",
    "wordworth.models",
)


def public_names() -> list[str]:
    """Return the full names of everything in `wordworth.__all__`."""
    return [f"wordworth.{name}" for name in sorted(import_module("wordworth").__all__, key=str.lower)]


def types() -> list[str]:
    """Return the types beside the public names, without those that have become public."""
    public = {id(resolve(name)) for name in public_names()}
    return [name for name in TYPES if id(resolve(name)) not in public]


def settings_classes() -> list[str]:
    """Return the settings classes whose fields carry their help, by name."""
    names = {
        f"{value.__module__}.{value.__qualname__}"
        for package in SETTINGS_IN
        for module in _modules(package)
        for value in vars(import_module(module)).values()
        if inspect.isclass(value) and dict(_help(value))
    }
    return sorted(names, key=lambda name: name.rpartition(".")[2])


def modules() -> list[str]:
    """Return the modules to document whole."""
    return [name for root in MODULES if find_spec(root) for name in _modules(root)]


def _modules(root: str) -> list[str]:
    """Return a module and all public modules below it."""
    package = import_module(root)
    below = pkgutil.walk_packages(getattr(package, "__path__", ()), f"{root}.")
    return [root, *(found.name for found in below if "._" not in found.name)]


GROUPS = {
    "public": public_names,
    "types": types,
    "settings": settings_classes,
    "extending": lambda: list(EXTENSION_POINTS),
    "modules": modules,
}


def resolve(name: str) -> Any:  # noqa: ANN401 - whatever has this name
    """Return the object, or module, of a full name."""
    module, _, attribute = name.rpartition(".")
    value = getattr(import_module(module), attribute, None)
    return import_module(name) if value is None else value


def page(name: str) -> str:
    """Return the page of one name, in reStructuredText."""
    value, (module, _, last) = resolve(name), name.rpartition(".")
    if inspect.ismodule(value):
        return _titled(name.removeprefix("wordworth."), [f".. automodule:: {name}", "   :members:"])
    statement = [".. code-block:: python", "", f"   from {module} import {last}", ""]
    return _titled(last, [*statement, *_directive(name, value)])


def _titled(title: str, lines: list[str]) -> str:
    return "\n".join([title, "=" * len(title), "", *lines, ""])


def _directive(name: str, value: object) -> list[str]:
    """Return the lines that document a class with its members, a settings class, a function or a value."""
    if not inspect.isclass(value):
        return [f".. auto{'function' if inspect.isroutine(value) else 'data'}:: {name}"]
    kind = "exception" if issubclass(value, BaseException) else "class"
    members = [] if dict(_help(value)) else ["   :members:"]
    return [f".. auto{kind}:: {name}", *members]


def _help(settings: object) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of each field that carries one, where this is a settings class."""
    for field in dataclasses.fields(settings) if dataclasses.is_dataclass(settings) else ():
        if field.metadata.get("help"):
            yield field.name, str(field.metadata["help"])


def describe_settings(_app: Sphinx, what: str, _name: str, value: object, _options: object, lines: list[str]) -> None:
    """Add the help of a settings class's fields to its docstring, as `autodoc-process-docstring` asks for."""
    if what == "class":
        lines += [
            f":param {field}: {text}" for field, text in _help(value) if f":param {field}:" not in "\n".join(lines)
        ]


def write_pages(app: Sphinx) -> None:
    """Write the pages of all groups, and delete those of names that are gone; what is unchanged stays untouched."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{name}.rst": page(name) for names in GROUPS.values() for name in names()}
    for path in folder.glob("*.rst"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


class ApiGroup(SphinxDirective):
    """List a group of names, each with the first sentence of its docstring, and put their pages into the navigation."""

    required_arguments = 1

    def run(self) -> list[Any]:
        """Return the table and the hidden contents of the group."""
        names = GROUPS[self.arguments[0]]()
        table = [".. autosummary::", "   :nosignatures:", "", *(f"   ~{name}" for name in names), ""]
        contents = [".. toctree::", "   :hidden:", "", *(f"   generated/{name}" for name in names)]
        return self.parse_text_to_nodes("\n".join(["```{eval-rst}", *table, *contents, "```"]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the pages and the directive."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", describe_settings, priority=AFTER_NAPOLEON)
    app.add_directive("api-group", ApiGroup)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
