"""Check the documentation: links, commands, imports and modules, contents of long pages, the READMEs.

Commands are ours, under torchrun too, and those of the recipes and benchmarks. Nothing is fetched, and nothing is run.

python scripts/check_docs.py
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, zip_longest
from pathlib import Path
from textwrap import dedent

import click
from page_contents import anchor as anchor_of
from page_contents import headings, with_contents

from wordworth.cli.app import app
from wordworth.errors import MissingExtra

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?:torchrun .* -m )?(wordworth .*)$", re.MULTILINE)
MODULE = re.compile(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`")
THEIRS = {"create_pretraining_data.py", "run_squad.py"}
"""Modules of other projects that pages name."""
SCRIPT = re.compile(r"^(?:[A-Z_]+=\S+ )*python (\w+/\w+\.py\b.*)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    return {anchor_of(heading) for heading in headings(page.read_text(encoding="utf-8"))}


def broken_links(page: Path) -> list[str]:
    """Return the faults of a page's links: files and headings that do not exist."""
    faults = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        target_path, _, anchor = link.partition("#")
        target = (page.parent / target_path).resolve() if target_path else page
        if not target.exists():
            faults.append(f"{page.relative_to(ROOT)}: {link}: no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            faults.append(f"{page.relative_to(ROOT)}: {link}: no such heading")
    return faults


def wrong_contents(page: Path) -> list[str]:
    """Return a fault if a long page of the documentation has no list of contents, or another than its headings."""
    text = page.read_text(encoding="utf-8")
    if ROOT / "docs" not in page.parents or with_contents(text) == text:
        return []
    name = page.relative_to(ROOT)
    return [f"{name}: its list of contents is missing or out of date; run python scripts/page_contents.py {name}"]


def wrong_commands(page: Path) -> list[str]:
    """Return the faults of a page's commands: those that our command line, or the script they call, would refuse."""
    text = page.read_text(encoding="utf-8")
    faults = []
    for _, code in blocks(text):
        faults += [(line, refusal(line)) for line in COMMAND.findall(code)]
        faults += [(line, script_refusal(line)) for line in SCRIPT.findall(code)]
    return [f"{page.relative_to(ROOT)}: {line}: {reason}" for line, reason in faults if reason]


def missing_imports(page: Path) -> list[str]:
    """Return the imports from Wordworth in a page's Python examples that would fail."""
    examples = [code for language, code in blocks(page.read_text(encoding="utf-8")) if language == "python"]
    return [f"{page.relative_to(ROOT)}: {reason}" for code in examples for reason in absent(code)]


def missing_modules(page: Path) -> list[str]:
    """Return the modules and scripts that the prose of a page names by the end of their path and that do not exist."""
    named = set(MODULE.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))) - THEIRS
    missing = (name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in modules(ROOT)))
    return [f"{page.relative_to(ROOT)}: {name}: no such module" for name in missing]


@cache
def modules(root: Path) -> frozenset[str]:
    """Return the paths of all modules and scripts, each from its room on, with a slash before."""
    rooms = ("src", "tests", "recipes", "benchmarks", "scripts")
    return frozenset(f"/{path.relative_to(root)}" for room in rooms for path in (root / room).rglob("*.py"))


def absent(code: str) -> list[str]:
    """Return the imports from our own package that would fail; a syntax error is reported as one."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError as error:
        return [f"{error.text!r}: {error.msg}"]
    wanted = [
        (node.module, name.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "wordworth"
        for name in node.names
    ]
    return [f"from {module} import {name}: no such name" for module, name in wanted if not is_there(module, name)]


def is_there(module: str | None, name: str) -> bool:
    """Return whether `from module import name` would succeed if the libraries that the module needs were installed."""
    try:
        return hasattr(import_module(str(module)), name) or bool(import_module(f"{module}.{name}"))
    except ModuleNotFoundError:
        return False
    except MissingExtra:
        source = Path(str(find_spec(str(module)).origin)).read_text(encoding="utf-8")
        return name in {getattr(node, "name", None) for node in ast.parse(source).body}


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and the code of each code block of a page, also of blocks inside lists."""
    return [(language, dedent(code)) for _, language, code in BLOCK.findall(text)]


def refusal(line: str) -> str:
    """Return why the command line would refuse a line; empty if it would accept the line."""
    _, name, *words = shlex.split(line, comments=True)
    context = click.Context(app, info_name="wordworth")
    command = app.get_command(context, name)
    if command is None:
        return "no such command"
    try:
        command.make_context(name, words, parent=context)
    except click.ClickException as error:
        return error.format_message()
    return ""


def script_refusal(line: str) -> str:
    """Return why a command line of one of our scripts would fail: no such script or option; "" if it would not."""
    script, *words = shlex.split(line, comments=True)
    path = ROOT / script
    if not path.is_file():
        return "no such script"
    requested = [word.partition("=")[0] for word in words if word.startswith("--")]
    return ", ".join(f"no option {name}" for name in requested if name not in options(path))


def options(script: Path) -> set[str]:
    """Return the options in the source of a script and of the modules beside it that it imports; nothing is run."""
    named, left = set[str](), [script]
    for path in left:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and str(node.value).startswith("--"):
                named.add(str(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("arguments", "measure.parser")):
                # of `benchmarks/measure.py`: programs as the second argument, numbers as keywords
                programs = [ast.literal_eval(each) for each in node.args[1:2] if isinstance(each, ast.List | ast.Tuple)]
                named |= {f"--{name}" for name in chain(*programs, (keyword.arg for keyword in node.keywords))}
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = [name.name for name in node.names]
                if isinstance(node, ast.ImportFrom):
                    names = [str(node.module), *(f"{node.module}.{name}" for name in names)]
                beside = [script.parent / f"{name.replace('.', '/')}.py" for name in names]
                left += [each for each in beside if each.is_file() and each not in left]
    return named


def apart(first: Path, other: Path) -> list[str]:
    """Return the differences of two translations of a page in headings, code without comments, links and table rows."""
    shapes = [shape(page.read_text(encoding="utf-8")) for page in (first, other)]
    return [
        f"{first.name} has {here!r} where {other.name} has {there!r}"
        for here, there in zip_longest(*shapes)
        if here != there
    ]


def shape(text: str) -> list[str]:
    """Yield, line by line, the parts of a page that a translation leaves unchanged."""
    kept: list[str] = []
    for block, line in _lines(text):
        if block:
            kept.append(re.split(r"\s{2,}|\s*#", line.strip())[0])
        elif line.startswith("#"):
            kept.append(line.split()[0])
        elif line.startswith("|"):
            kept.append(f"a row of {line.count('|') - 1} cells")
        links = LINK.findall(line) if not block else []
        kept += [link for link in links if not link.startswith("README")]
    return kept


def _lines(text: str) -> list[tuple[bool, str]]:
    """Return each line, and whether it stands in a block of code."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        lines.append((inside and not fence, line))
        inside ^= fence
    return lines


def checked(page: Path) -> list[str]:
    """Return all faults of a page."""
    faults_of = (broken_links, wrong_contents, wrong_commands, missing_imports, missing_modules)
    return [fault for of in faults_of for fault in of(page)]


def main() -> int:
    """Print the faults of all pages; return the exit code, 1 if there are any."""
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    faults = [fault for page in pages for fault in checked(page)]
    faults += apart(ROOT / "README.md", ROOT / "README.zh.md")
    print(
        "\n".join(faults)
        or f"{len(pages)} pages: links, modules, imports, commands and contents hold, the READMEs agree"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(main())
