"""Analysis of finished runs: metrics of a run, samples over runs, summaries and comparisons."""
