"""Which changes of the core no Rust test notices: many mutants in one build."""
