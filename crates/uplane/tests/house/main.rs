//! House rules: permitted dependencies, and the form of the code.

mod architecture;
mod import_circles;
