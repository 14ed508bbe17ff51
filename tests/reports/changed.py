"""A record with some columns of a table overwritten, and one without the sentences of its charts."""

from dataclasses import replace

from wordworth.records import Record, Table


def changed(record: Record, table: str, **columns: object) -> Record:
    """The same value in every row of each column named; the sentences of charts follow from the new values."""
    old = record.tables[table]
    rows = len(next(iter(old.columns.values())))
    new = {**old.columns, **{name: [value] * rows for name, value in columns.items()}}
    return with_table(record, table, Table(new, old.describe))


def with_table(record: Record, name: str, table: Table) -> Record:
    """Another table in place of one; the sentences of charts follow from it."""
    return without_captions(replace(record, tables={**record.tables, name: table}))


def without_captions(record: Record) -> Record:
    """The record as an earlier version wrote it, without the sentences of its charts."""
    kept = [finding for finding in record.findings if not finding.name.startswith("caption.")]
    return replace(record, findings=kept, timings={k: v for k, v in record.timings.items() if k != "captions"})
