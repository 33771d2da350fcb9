//! `base = "linux"` against Linux: six objects over one connection, where a whole window leaves at
//! once after each pause and overflows the queue.
//!
//! Linux 6.18 was played five times over the path of `peers/linux/cell.c` with `rate=20e6 rtt=300
//! queue=200000 nodelay=1` and six steps of 1 MB, 250 ms apart. In four plays the emulator was late
//! by less than 10 ms. From the end of the first object to the end of the last these took 7.795 to
//! 7.808 s with 306 to 319 retransmissions. In the fifth the emulator was late by 30 ms, which
//! ended slow start at 28 segments.
//!
//! A real host sends a window at the rate of its device, here some Gbit/s. Meanwhile the queue
//! drains, so a packet or two of the window's end fit, and their SACK shows the loss a round trip
//! earlier. The scenario has a link with the rate of the host for that.

use uplane::record::{Data, Table};
use uplane::scenario::{Scenario, simulate};

/// The rate of the server's device.
const DEVICE: &str = "[[link]]\nname = \"device\"\ndelay = \"0 s\"\ndown.rate = \"2.5 Gbit/s\"\n";

/// Seconds from the end of the first object to the end of the last.
fn later_objects() -> f64 {
    let text = format!(
        "duration = \"100 s\"\n[radio.fixed]\n{DEVICE}[[link]]\nname = \"path\"\n\
         delay = \"150 ms\"\ndown = {{ rate = \"20 Mbit/s\", queue = \"200000 B\" }}\n\
         [tcp.default]\nbase = \"linux\"\nnagle = false\n[[web]]\nname = \"page\"\n\
         objects = [{}]\nrequest = \"60 B\"\npersistent = true\nthink = \"250 ms\"\n",
        ["\"1 MB\""; 6].join(", ")
    );
    let scenario = Scenario::from_toml(&text, "page", &[]).unwrap_or_else(|it| panic!("{it}"));
    let outcome = simulate(&scenario, 1);
    let found = outcome.tables.iter().find(|table: &&Table| table.name == "transfers");
    let table = found.expect("a table of every run");
    let Some(Data::F64(completed)) = table.column("completed_s") else { panic!("no times") };
    completed[5].expect("it is complete") - completed[0].expect("it is complete")
}

#[test]
fn a_page_behind_a_device_takes_as_long_as_in_linux() {
    let time = later_objects();
    assert!((7.795 * 0.95..=7.808 * 1.05).contains(&time), "{time} s");
}
