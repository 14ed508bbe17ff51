"""The names of the API reference, found in the package and not listed, and the page of each in reStructuredText."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TYPES = (
    "wordworth.errors.BadInput",
    "wordworth.models.hidden_states.States",
    "wordworth.models.text_encoder.TextEncoder",
    "wordworth.progress.Progress",
    "wordworth.retrieval.index.Index",
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
    "wordworth.training.sentences.losses.base.SentenceLoss",
    "wordworth.models.families.base.Family",
    "wordworth.studies.study.Study",
    "wordworth.text.file_formats.base.FileFormat",
)
"""The classes that the pages of `docs/extending` derive from or make."""
MODULES = ("wordworth.sklearn", "wordworth.integrations", "wordworth.testing")
"""Further modules and packages that users import from, as far as they exist."""
CALLABLE_PACKAGES = {"wordworth.models": "wordworth.models.known_models.models"}
"""Packages that are public functions too, with the function that documents each."""
SETTINGS_IN = (
    "wordworth.tasks.reading",
    "wordworth.studies",
    "wordworth.training",
    "wordworth.inference",
    "wordworth.models",
    "wordworth.retrieval",
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
        if inspect.isclass(value) and dict(help_of(value))
    }
    public = {id(resolve(name)) for name in public_names()}
    return sorted((name for name in names if id(resolve(name)) not in public), key=lambda name: name.rpartition(".")[2])


def doors() -> list[str]:
    """Return the public names of the packages of `MODULES` that have an `__all__`, else the modules in them."""
    return [name for root in MODULES if find_spec(root) for name in _exported(root) or _modules(root)]


def _exported(module: str) -> list[str]:
    """Return the full names in the `__all__` of a module; none if it has no `__all__`."""
    return [f"{module}.{name}" for name in sorted(getattr(import_module(module), "__all__", ()))]


def _modules(root: str) -> list[str]:
    """Return a module and all public modules below it."""
    package = import_module(root)
    below = pkgutil.walk_packages(getattr(package, "__path__", ()), f"{root}.")
    return [root, *(module.name for module in below if "._" not in module.name)]


def missing_libraries() -> list[str]:
    """Return the libraries that modules of `MODULES` import and that are not installed, read from their source."""
    folders = [Path(str(find_spec(root).origin)).parent for root in MODULES if find_spec(root)]
    nodes = [
        node for folder in folders for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))
    ]
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return sorted(name for name in {name.partition(".")[0] for name in names} if find_spec(name) is None)


GROUPS = {
    "public": public_names,
    "types": types,
    "settings": settings_classes,
    "extending": lambda: list(EXTENSION_POINTS),
    "doors": doors,
}


def resolve(name: str) -> Any:  # noqa: ANN401 - whatever has this name
    """Return the object of a full name."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def is_module(name: str) -> bool:
    """Return whether this is a module to document whole; it is not imported, as it may need another library."""
    return name.startswith(MODULES) and find_spec(name) is not None


def page(name: str) -> str:
    """Return the page of one name, in reStructuredText."""
    module, _, last = name.rpartition(".")
    if is_module(name):
        return _titled(name.removeprefix("wordworth."), [f".. automodule:: {name}", "   :members:"])
    statement = [".. code-block:: python", "", f"   from {module} import {last}", ""]
    return _titled(last, [*statement, *_directive(documented(name))])


def _titled(title: str, lines: list[str]) -> str:
    return "\n".join([title, "=" * len(title), "", *lines, ""])


def documented(name: str) -> str:
    """Return the full name whose docstring documents a public name, which is the name itself but for a package."""
    return CALLABLE_PACKAGES.get(name, name)


def _directive(name: str) -> list[str]:
    """Return the lines that document a class with its members, a settings class, a function or a value."""
    value = resolve(name)
    if not inspect.isclass(value):
        return [f".. auto{'function' if inspect.isroutine(value) else 'data'}:: {name}"]
    kind = "exception" if issubclass(value, BaseException) else "class"
    members = [] if dict(help_of(value)) else ["   :members:"]
    return [f".. auto{kind}:: {name}", *members]


def help_of(settings: object) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of each field that carries one, where this is a settings class."""
    for field in dataclasses.fields(settings) if dataclasses.is_dataclass(settings) else ():
        if field.metadata.get("help"):
            yield field.name, str(field.metadata["help"])
