"""Search: an index is a folder of texts with their vectors and words, in which a query looks up the nearest texts.

    texts ─► inference: parts of vectors ─► segment: vectors, rows, word counts ─► manifest: the index
                                                                                      │
    query ─► model ─► search of rows that meet a condition ─► k rows ─► a table       ▼

A *segment* holds the rows that were added together. It is never changed once it is written: adding texts writes another
segment, and deleting texts writes a list of deleted rows. The manifest names the files that make up the index.
"""
