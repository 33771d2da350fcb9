//! The rules of the house: who may know whom.

mod architecture;
mod import_circles;
