"""Who leads, and what speaks against it."""

from tests.studies.word_benchmarks.small_sets import NAMES, pairs, part, table, write_tiny_table

from wordworth.studies.word_benchmarks import words


def warned(record):
    return {finding.name.removeprefix("warning."): finding.text for finding in record.warnings}


def test_the_leader_is_told_with_a_paired_interval_over_what_all_know(tmp_path, data):
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES[:13], noise=2.0))
    record = words([two, one], data=data, sets=("rg65",), draws=100)
    (row,) = record.tables["leads"].rows()
    assert (row["model"], row["against"]) == (str(one), str(two))
    assert row["low"] <= row["gap"] <= row["high"]
    assert (
        record.finding("verdict")
        .numbers["headline"]
        .startswith(("one.txt leads two.txt by", "one.txt and two.txt are level"))
    )
    assert f"{row['gap']:.3f}" in record.verdict


def test_a_table_of_pieces_beside_one_of_words_is_a_warning(tmp_path, data):
    """A tokenizer that spells every word letter by letter, and a table of some words."""
    letters = write_tiny_table(tmp_path / "letters", sorted({letter for name in NAMES for letter in name}))
    one = table(tmp_path / "one.txt", part(*NAMES[:12]))
    record = words([letters, one], data=data, sets=("rg65", "google"), draws=100)
    assert warned(record)["subwords"].startswith("letters builds words from subwords, one.txt has whole words only")
    assert warned(record)["spelled"].startswith("letters has no vector for ")
    assert "one.txt" not in warned(record)["spelled"]
    assert warned(record)["benchmark_words"].startswith("letters answers analogies from the words of the benchmarks")


def test_little_coverage_is_a_warning_that_names_the_table(tmp_path, data):
    (data / "sim/EN-RG-65.txt").write_text(pairs(count=23))
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES[:11]))
    record = words([one, two], data=data, sets=("rg65",), draws=100)
    assert "Rubenstein-Goodenough 65, 10 of 23 pairs in common. two.txt lacks most." in warned(record)["coverage"]
    assert warned(words(one, data=data, sets=("rg65",), draws=100)) == {}
