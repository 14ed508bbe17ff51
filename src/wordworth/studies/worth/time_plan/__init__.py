"""How long a study will take on this machine, and what is left out where that is more than its budget of time.

speeds measured on a few texts ─► forecast of a scope ─► the largest scope whose forecast is within the budget
"""
