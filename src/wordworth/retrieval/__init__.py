"""Search: texts kept with their vectors in a folder, an index, and found by a query.

    texts ─► inference: parts of vectors ─► segment: vectors, rows, word counts ─► manifest: the index
                                                                                      │
    query ─► model ─► scan, where a filter passes ─► k rows ─► a table                ▼

A segment is never changed once it is written; adding writes another, deleting writes a list of rows that are gone, and
an index is what its manifest says.
"""
