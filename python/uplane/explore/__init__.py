"""A page on which a person changes a scenario's values and runs it, served on this machine only.

In: a scenario. Out: a web application for one person on this machine. Needs `uplane[explore]`.
"""
