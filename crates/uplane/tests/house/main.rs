//! The rules of the house: who may know whom. One binary, so that it is linked once.

mod architecture;
mod import_circles;
