"""What the check of the documentation finds in a page."""

from pathlib import Path

import pytest
from page_contents import LONGEST, WIDTH, with_contents

from scripts import check_docs

LIST = """\
1. Test it:

   ```python
   from wordworth.testing.rungs import {name}


   check({name})
   ```
"""


def page(tmp_path: Path, monkeypatch, text: str) -> Path:
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    return tmp_path / "page.md"


def test_an_example_that_imports_what_is_not_there_is_found_in_a_list_too(tmp_path, monkeypatch):
    wrong = page(tmp_path, monkeypatch, LIST.format(name="no_such_check"))
    assert check_docs.checked(wrong) == ["page.md: from wordworth.testing.rungs import no_such_check: no such name"]
    assert check_docs.checked(page(tmp_path, monkeypatch, LIST.format(name="rung_checks"))) == []


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("from wordworth.no_such_module import x", 1),
        ("from wordworth.testing import rungs", 0),  # a module, which nobody need have imported before
        ("from my_package import MyRung", 0),
        ("from wordworth import", 1),
    ],
)
def test_an_import_is_resolved_as_python_would(line, faults):
    assert len(check_docs.absent(line)) == faults


def test_a_command_in_a_list_is_checked(tmp_path, monkeypatch):
    wrong = page(tmp_path, monkeypatch, "1. Run it:\n\n   ```\n   wordworth wort data.csv\n   ```\n")
    assert check_docs.checked(wrong) == ["page.md: wordworth wort data.csv: no such command"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("torchrun --nproc-per-node 2 -m wordworth pretrain a/ --out b/", ""),
        ("torchrun --nproc-per-node 2 -m wordworth pretrain a/ --ouf b/", "--ouf"),
        ("DATA=x python recipes/some.py store/ --seeds 3 --rounds=2  # --none", ""),
        ("python recipes/some.py --sedes 3", "no option --sedes"),
        ("python recipes/other.py", "no such script"),
    ],
)
def test_a_command_under_torchrun_and_one_of_a_script_are_checked(tmp_path, monkeypatch, line, said):
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "some.py").write_text('import shared\nparser.add_argument("--seeds")\n')
    (tmp_path / "recipes" / "shared.py").write_text("import some\nmeasure.arguments(__doc__, rounds=3)\n")
    faults = check_docs.checked(page(tmp_path, monkeypatch, f"```\n{line}\n```\n"))
    assert len(faults) == bool(said)
    assert all(said in fault for fault in faults)


def test_what_our_own_pages_import_is_there():
    pages = [*check_docs.ROOT.glob("*.md"), *(check_docs.ROOT / "docs").rglob("*.md")]
    assert [fault for one in pages for fault in check_docs.missing_imports(one)] == []


def long_page(tmp_path: Path, monkeypatch, text: str) -> Path:
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(text + "line\n" * LONGEST, encoding="utf-8")
    return tmp_path / "docs" / "page.md"


def test_a_long_page_without_contents_is_found_and_the_list_mends_it(tmp_path, monkeypatch):
    page = long_page(
        tmp_path, monkeypatch, "# Title\n\nFirst.\n\n## What's `new`?\n\n```\n## no heading\n```\n\n## Old\n"
    )
    assert ["docs/page.md: its list of contents is missing" in fault for fault in check_docs.checked(page)] == [True]
    mended = with_contents(page.read_text(encoding="utf-8"))
    assert mended.startswith("# Title\n\n**Contents:** [What's `new`?](#whats-new) · [Old](#old)\n\nFirst.\n")
    page.write_text(mended, encoding="utf-8")
    assert check_docs.checked(page) == []
    page.write_text(mended.replace("## Old", "## Older"), encoding="utf-8")
    assert len(check_docs.checked(page)) == 2  # the link to the heading that is gone, and the list itself


def test_a_short_page_loses_its_contents_and_long_lists_are_wrapped():
    assert with_contents("# T\n\n**Contents:** [A](#a)\n\nText.\n\n## A\n") == "# T\n\nText.\n\n## A\n"
    text = "# T\n\n" + "".join(f"## A heading of some length, number {n}\n" for n in range(12)) + "line\n" * LONGEST
    made = with_contents(text).split("\n\n")[1].splitlines()
    assert len(made) > 1
    assert max(map(len, made)) <= WIDTH
    assert with_contents(with_contents(text)) == with_contents(text)


def test_a_module_whose_library_is_not_installed_is_read_for_its_names(tmp_path, monkeypatch):
    source = (
        "from wordworth.errors import MissingExtra\n\n\nclass There: ...\n\n\nraise MissingExtra('peer', 'extra')\n"
    )
    (tmp_path / "wants_a_peer.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert [check_docs.is_there("wants_a_peer", name) for name in ("There", "Absent")] == [True, False]


def test_a_module_that_is_not_there_is_found_in_prose_and_not_in_code(tmp_path, monkeypatch):
    (tmp_path / "src" / "room").mkdir(parents=True)
    (tmp_path / "src" / "room" / "there.py").touch()
    text = "See `room/there.py`, `there.py` and `former.py`.\n\n```\n`gone.py`\n```\n"
    assert check_docs.checked(page(tmp_path, monkeypatch, text)) == ["page.md: former.py: no such module"]
