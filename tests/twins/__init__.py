"""Small simulations of the published studies, written a second time from the texts alone.

A twin shares no code with the simulator: no Rust, no `uplane` import. Where both give the same
trace, the mistake that could still hide is one that two people made independently.
"""
