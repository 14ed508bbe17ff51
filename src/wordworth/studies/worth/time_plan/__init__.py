"""The time plan: how long a study will take on this machine, and what it leaves out to keep to its budget of time.

speeds measured on a few texts ─► forecast of a scope ─► the largest scope whose forecast is within the budget
"""
