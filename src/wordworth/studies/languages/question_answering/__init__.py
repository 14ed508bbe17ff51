"""The study `languages` on questions: zero-shot transfer from answers in one language to questions in others."""
