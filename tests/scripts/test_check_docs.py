"""What the check of the documentation finds in a page."""

from pathlib import Path

import pytest

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
