//! Applications: who asks for data, and when it is complete.
