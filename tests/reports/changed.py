"""A record with some columns of a table overwritten."""

from dataclasses import replace

from wordworth.records import Record, Table


def changed(record: Record, table: str, **columns: object) -> Record:
    """The same value in every row of each column named."""
    old = record.tables[table]
    rows = len(next(iter(old.columns.values())))
    new = {**old.columns, **{name: [value] * rows for name, value in columns.items()}}
    return replace(record, tables={**record.tables, table: Table(new, old.describe)})
