"""A page, served on this machine alone, on which a scenario's values are changed and run.

In: a scenario. Out: a web application for one person on this machine. Needs `uplane[explore]`.
"""
