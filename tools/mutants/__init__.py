"""Changes of the core that no Rust test notices: many mutants in one build."""
