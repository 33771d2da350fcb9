"""A page that is served here alone, on which a scenario's values are changed and its runs followed.

In: a scenario. Out: a web application for one person on this machine. Needs `uplane[explore]`.
"""
