"""The study `languages` on questions: how far answers learned in one language carry to the same questions in others."""
