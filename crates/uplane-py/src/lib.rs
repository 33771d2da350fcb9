//! The Python face of uplane.
