"""Hold public docstrings to rules by which a stranger understands each of them in one reading.

    python scripts/check_docstrings.py [FOLDER OR FILE ...]

Without arguments `src/wordworth` is read; `make check` does so.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

CHECKED = (Path("src/wordworth"),)
"""Folders that are held to the rules."""
OWN_WORDS = {
    re.compile(r"\brungs?\b", re.IGNORECASE): "A rung is",
    re.compile(r"\bladders?\b", re.IGNORECASE): "The ladder is",
    re.compile(r"\b(cheap|contextual) rungs?\b", re.IGNORECASE): "A contextual rung",
}
"""Words that are not of the field -> the beginning of the sentence by which a module's docstring explains them."""
EXPLAINED_ELSEWHERE = ("documented_by", "command")
"""Decorators of functions whose parameters are explained by the settings of a study, or by the help of options."""
ARRAY = re.compile(r"\b(NDArray|ndarray|Tensor|Floats|Integers|Flags|Numbers|Vectors|Rows|Ids|Draws|Block|Codes)\b")
"""Types of arrays."""
MAPPING = re.compile(r"Mapping|dict\[|Callable|Loop\[")
"""Types that hold arrays of many shapes."""
OPAQUE = re.compile(rf"\b(int|Callable|FoldFeatures)\b|{ARRAY.pattern}")
"""Types that say nothing of what a parameter holds, such as a count or an index."""
PLAIN = re.compile(
    r"(str|float|bool|object|Any|Path \| str|Labels|Rows|Gold|Predicted"
    r"|(Sequence|Iterable|Collection|list|Mapping|dict)\[.*)( \| None)?"
)
"""Types of values that may be anything: their parameters are at least named in the text."""
SHAPE = re.compile(r"\[.*\]|\bshape|\bnumber\b|\btable\b|must be None|not used")
"""What says the shape of an array: brackets, words, or that it is a single number."""
PRONOUN_FIRST = re.compile(r"\n\n(It\b|They\b|(These|Those|This|Both) (is|are|was|were|has|have)\b)")
"""A pronoun that begins a paragraph, so that the reader has to find its noun in the paragraph before."""
SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Attributes):$", re.MULTILINE)
THAT_OF = re.compile(r"\b([Tt]hat|[Tt]hose)\s+(of|in|at(?! least| most)|for|from|with|by|on|without|whose)\b")
"""Words that stand for a noun, wherever they are."""
NO_NOUN = (
    re.compile(r"[;:] (it|they|these|those|such)\b(?! [a-z]+s\b)"),
    re.compile(
        r"(?<!one )\b(than|of|from|with|to|by|as|is|are|into|if there is) (one|another|others|such)(?=[,.;:)]|$)"
    ),
)
"""Words in a first sentence that stand for a noun which the reader has to find."""
NONE_OF_WHAT = re.compile(r"\b(if|has|have|is|are) none\b(?! of (these|the|its) )|\bif there (is|are) none\b")
"""A `none` that leaves open of what."""
LONGEST = 35
"""Most words without a full stop, semicolon or colon."""
EMPTY_WORDS = frozenset(
    {"a", "an", "the", "of", "and", "or", "in", "on", "to", "for", "from", "with", "by", "as", "at"}
    | {"is", "are", "its", "this", "return", "yield"}
)
"""Words that a docstring may add to a name without saying more than the name."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield (name with its classes, node) of every public function, method and class that has a docstring."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            if ast.get_docstring(child):
                yield prefix + child.name, child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{prefix}{child.name}.")


def parameters(function: Function) -> dict[str, str]:
    """Return name of each parameter -> its type, without self, and without those whose name says: not used."""
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    named = [each for each in every if each.arg not in {"self", "cls"} and not each.arg.startswith("_")]
    return {each.arg: ast.unparse(each.annotation) if each.annotation else "" for each in named}


def sections(text: str) -> dict[str, str]:
    """Return name of each section of a docstring -> its text; "" is the part before the first section."""
    parts = SECTION.split(text)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def items(section: str) -> dict[str, str]:
    """Return name -> explanation of each item of a section such as `Args:`."""
    pairs = re.findall(r"^    ([\w*, ]+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name.strip("* "): text for names, text in pairs for name in names.split(",")}


def unexplained(function: Function, text: str) -> Iterator[str]:
    """Yield a fault if a function leaves its parameters unexplained."""
    types, explained = parameters(function), items(sections(text).get("Args", ""))
    missing = [name for name in types if name not in explained]
    decorators = [ast.unparse(each).partition("(")[0] for each in function.decorator_list]
    if not missing or any(each.endswith(EXPLAINED_ELSEWHERE) for each in decorators):
        return
    if explained or len(types) > 2 or (len(types) == 2 and any(map(OPAQUE.search, types.values()))):  # noqa: PLR2004
        yield f"parameters without a line under 'Args:': {', '.join(missing)}"
        return
    several = len(types) > 1
    needed = [name for name in types if (PLAIN.fullmatch(types[name]) and several) or OPAQUE.search(types[name])]
    if silent := [name for name in needed if not _is_named(name, text)]:
        yield f"parameters that the text does not name: {', '.join(silent)}"


def _is_named(name: str, text: str) -> bool:
    return name in text or all(
        re.search(rf"\b{word.rstrip('s')}(s|es)?\b", text, re.IGNORECASE) for word in name.split("_") if word
    )


def shapeless(node: Function | ast.ClassDef, text: str) -> Iterator[str]:
    """Yield a fault for each array that a function takes or returns, or a class has, without a word on its shape."""
    parts = sections(text)
    if isinstance(node, ast.ClassDef):
        explained, kinds, for_all = items(parts.get("Attributes", "")), attributes(node), SHAPE.search(parts[""])
    else:
        explained, kinds, for_all = items(parts.get("Args", "")), parameters(node), None
        if _is_array(ast.unparse(node.returns) if node.returns else "") and not SHAPE.search(text):
            yield "the result is an array without a shape"
    for name, kind in kinds.items():
        if _is_array(kind) and not for_all and not SHAPE.search(explained.get(name, text)):
            yield f"{name} is an array without a shape"


def attributes(node: ast.ClassDef) -> dict[str, str]:
    """Return name of each public field of a class -> its type."""
    fields = {ast.unparse(each.target): each.annotation for each in node.body if isinstance(each, ast.AnnAssign)}
    return {name: ast.unparse(annotation) for name, annotation in fields.items() if not name.startswith("_")}


def _is_array(kind: str) -> bool:
    return bool(ARRAY.search(kind)) and not MAPPING.search(kind)


def prose(text: str) -> str:
    """Return a docstring without doctests, code and lists of commands."""
    lines = re.sub(r"^>>> .*?(\n\n|\Z)", "\n", text, flags=re.MULTILINE | re.DOTALL).split("\n")
    stop = next((number for number, line in enumerate(lines) if line == "Examples:" or "\b" in line), len(lines))
    return "\n".join(line for line in lines[:stop] if not re.match(r"\s*(\* |\| )| {4}\w[\w.]*[(=]", line))


def sentences(text: str) -> Iterator[str]:
    """Yield the stretches of a docstring between full stops, semicolons and colons, items of sections apart."""
    for block in re.split(r"\n\s*\n|\n(?=    [\w*, ]+: )|^\w+:$", prose(text), flags=re.MULTILINE):
        yield from re.split(r"(?<=[.;:!?])\s", re.sub(r"^    [\w*, ]+: ", "", block))


def wording(name: str, text: str) -> Iterator[str]:
    """Yield a fault for each phrase that a reader has to read twice, and if a docstring repeats the name alone."""
    first = re.split(r"(?<=[.])\s", " ".join(prose(text).split("\n\n")[0].split()))[0]
    for pattern, where in ((THAT_OF, prose(text)), *((pattern, first) for pattern in NO_NOUN)):
        if match := pattern.search(where):
            yield f"{match[0]!r}: name the thing again"
    if match := NONE_OF_WHAT.search(prose(text)):
        yield f"{match[0]!r}: say of what"
    yield from (f"{len(each.split())} words in one go: {each[:40]!r}" for each in sentences(text) if _is_long(each))
    if not SECTION.search(text) and not _stems(text) - _stems(re.sub(r"([a-z])([A-Z])", r"\1 \2", name)):
        yield "the docstring says no more than the name"


def _is_long(sentence: str) -> bool:
    return len(sentence.split()) > LONGEST


def _stems(text: str) -> set[str]:
    words = re.findall(r"[a-z]+", text.lower().replace("_", " "))
    return {re.sub(r"(ations?|ings?|ies|e?s|ed|e|y)$", "", word) for word in words if word not in EMPTY_WORDS}


def own_words(module: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield a fault for each word of `OWN_WORDS` that a module's docstrings use and the first of them does not explain.

    Args:
        module: the docstring of the module.
        texts: the docstrings of its public functions, methods and classes.
    """
    every, explained = "\n".join((module, *texts)), " ".join(module.split())
    for word, explanation in OWN_WORDS.items():
        match = word.search(every)
        if match and explanation not in explained:
            yield f"{match[0]!r} is not explained: the docstring of the module needs a sentence '{explanation} ...'"


def pronouns_first(text: str) -> Iterator[str]:
    """Yield a fault for each paragraph of a docstring that begins with a pronoun such as `It`."""
    yield from (f"{match[1]!r} begins a paragraph: name the thing again" for match in PRONOUN_FIRST.finditer(text))


def faults(path: Path) -> Iterator[str]:
    """Yield one line for each fault of the docstring of a file, and of its public docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(public(tree))
    module, texts = ast.get_docstring(tree) or "", [ast.get_docstring(node) or "" for _, node in nodes]
    yield from (f"{path}:1: {fault}" for fault in (*own_words(module, texts), *pronouns_first(module)))
    for name, node in nodes:
        text = ast.get_docstring(node) or ""
        of_parameters = unexplained(node, text) if isinstance(node, Function) else ()
        for fault in (*of_parameters, *shapeless(node, text), *wording(name, text), *pronouns_first(text)):
            yield f"{path}:{node.lineno}: {name}: {fault}"


def main(arguments: list[str]) -> int:
    """Print the faults of the files named as arguments, or of all checked files; return 1 if there are any, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="*", metavar="PATH", help="[default: all checked files]")
    roots = parser.parse_args(arguments).paths or CHECKED
    files = [file for root in roots for file in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    lines = [line for file in files for line in faults(file)]
    print("\n".join(lines) or f"{len(files)} files: public docstrings hold")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
