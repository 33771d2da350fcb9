//! The Transmission Control Protocol, one file an entity.
