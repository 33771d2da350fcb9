//! A link with varying capacity: a rate over time, or the opportunities of a measured trace.
//!
//! In: the earliest time of a frame, and its bytes on the wire. Out: the time at which its last bit
//! has left.
//!
//! A trace is one of Mahimahi (Netravali et al. 2015, mahimahi(1)): each number is a millisecond at
//! which 1504 bytes may leave. Each frame takes its length and 4 bytes, so the trace "1" carries
//! one packet of 1500 bytes per millisecond, 12 Mbit/s. An opportunity also takes the part of the
//! next frame that fits, whose rest leaves with the next opportunity; capacity that no frame uses
//! is lost. The last number is the period, after which the trace repeats.
//!
//! Left out: a capacity that depends on the traffic, as a radio's does. This matters for studies of
//! a scheduler.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::unit::text::{RATE_UNITS, Written, exact, written};
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// One rate of a link, which holds until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateStep {
    /// Time from which the rate holds, counted from the start of the run. The first is 0 s; later
    /// ones ascend.
    pub at: Duration,
    /// Bit rate on the wire from `at` until the next entry of the list, framing included. `"0
    /// bit/s"` during an outage.
    pub rate: StepRate,
}

/// Rate of a step; `None` during an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRate(pub Option<Bitrate>);

/// The opportunities of a link: milliseconds in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace(Vec<u64>);

/// The capacity of a link over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Varying {
    /// Rates over time. The first rate holds from the start of the run, and the last rate is above
    /// 0.
    Rates(Vec<RateStep>),
    /// Opportunities of 1504 bytes.
    Opportunities(Trace),
}

/// The progress of a link in its capacity.
#[derive(Clone, Debug)]
pub(super) struct Server {
    varying: Varying,
    /// Index of the current step, or of the next opportunity within the period.
    position: usize,
    /// Number of periods of the trace that are over.
    rounds: u64,
    /// Time of the last opportunity that was used, and its remaining bytes.
    opened: Instant,
    left: Bytes,
}

impl Trace {
    /// Creates a trace. Returns `None` for numbers that do not ascend, or for an empty period.
    pub fn new(millis: Vec<u64>) -> Option<Self> {
        let ascends = millis.is_sorted();
        let takes_time = millis.last().is_some_and(|&last| last > 0 && last <= LONGEST_MILLIS);
        (ascends && takes_time).then_some(Self(millis))
    }

    /// Returns the numbers, separated by spaces.
    pub fn to_text(&self) -> String {
        let numbers: Vec<String> = self.0.iter().map(u64::to_string).collect();
        numbers.join(" ")
    }

    /// Returns the time after which the trace repeats.
    fn period(&self) -> Duration {
        Duration::from_millis(self.0[self.0.len() - 1])
    }

    /// Returns the time of the opportunity at this index of this period.
    fn at(&self, rounds: u64, position: usize) -> Instant {
        Instant::ZERO + self.period() * rounds + Duration::from_millis(self.0[position])
    }
}

impl Server {
    pub(super) fn new(varying: Varying) -> Self {
        Self { varying, position: 0, rounds: 0, opened: Instant::ZERO, left: Bytes::ZERO }
    }

    /// Returns the earliest start of a frame that is ready at `from`. Later calls must not have an
    /// earlier `from`.
    pub(super) fn begins(&mut self, from: Instant) -> Instant {
        let Varying::Opportunities(trace) = &self.varying else { return from };
        let period = trace.period();
        if from <= self.opened && !self.left.is_zero() {
            return self.opened;
        }
        // Whole periods in which nothing was sent.
        let over = from.as_nanos() / period.as_nanos();
        if over > self.rounds + 1 {
            (self.position, self.rounds) = (0, over - 1);
        }
        loop {
            let next = self.next();
            if next >= from {
                return next;
            }
            self.advance();
        }
    }

    /// Returns the first opportunity that was not taken.
    fn next(&self) -> Instant {
        match &self.varying {
            Varying::Opportunities(trace) => trace.at(self.rounds, self.position),
            Varying::Rates(_) => unreachable!("rates have no opportunities"),
        }
    }

    /// Advances to the next opportunity.
    fn advance(&mut self) {
        let Varying::Opportunities(trace) = &self.varying else { return };
        self.position += 1;
        if self.position == trace.0.len() {
            (self.position, self.rounds) = (0, self.rounds + 1);
        }
    }

    /// Returns the time at which the last bit of a frame has left that begins at `from`, a result
    /// of [`Server::begins`].
    pub(super) fn serve(&mut self, from: Instant, wire: Bytes) -> Instant {
        match self.varying {
            Varying::Rates(_) => self.serve_at_rates(from, wire),
            Varying::Opportunities(_) => self.serve_at_opportunities(from, wire),
        }
    }

    fn serve_at_rates(&mut self, from: Instant, wire: Bytes) -> Instant {
        let Varying::Rates(steps) = &self.varying else { unreachable!("called for rates") };
        // In units of bit/s times nanoseconds.
        let mut rest = u128::from(wire.bits()) * NANOS;
        let mut now = from;
        loop {
            let step = |position: usize| steps.get(position).map(|it| Instant::ZERO + it.at);
            while step(self.position + 1).is_some_and(|next| next <= now) {
                self.position += 1;
            }
            let Some(rate) = steps[self.position].rate.0 else {
                now = step(self.position + 1).expect("an outage ends");
                continue;
            };
            let rate = u128::from(rate.as_bps());
            let takes = Duration::from_nanos(((rest + rate / 2) / rate) as u64);
            match step(self.position + 1) {
                Some(next) if now + takes > next => {
                    rest = rest.saturating_sub(rate * u128::from((next - now).as_nanos()));
                    now = next;
                }
                _ => return now + takes,
            }
        }
    }

    fn serve_at_opportunities(&mut self, from: Instant, wire: Bytes) -> Instant {
        let mut rest = wire + TUN_HEADER;
        let mut now = from;
        while !rest.is_zero() {
            if self.left.is_zero() || self.opened < now {
                self.open(now);
            }
            now = self.opened;
            let taken = rest.min(self.left);
            rest -= taken;
            self.left -= taken;
        }
        now
    }

    /// Takes the first opportunity at or after `from` that was not taken.
    fn open(&mut self, from: Instant) {
        self.left = Bytes::ZERO;
        self.opened = self.begins(from);
        self.left = OPPORTUNITY;
        self.advance();
    }
}

impl Written for StepRate {
    const NAME: &'static str = "StepRate";
    const EXPECTED: &'static str = "a rate such as \"5 Mbit/s\" (units bit/s, kbit/s, Mbit/s, \
        Gbit/s; at most 1000 Gbit/s), or \"0 bit/s\" for an outage";
    const RANGE: Option<(&'static str, &'static str)> = Some(("0 bit/s", "1000 Gbit/s"));
    const PATTERN: &'static str = Bitrate::PATTERN;

    fn read(text: &str) -> Option<Self> {
        let is_outage = exact(text, RATE_UNITS).is_some_and(|(num, _)| num == 0);
        if is_outage { Some(Self(None)) } else { Bitrate::read(text).map(|it| Self(Some(it))) }
    }

    fn write(&self) -> Value {
        self.0.map_or_else(|| "0 bit/s".into(), |rate| rate.write())
    }
}

/// Reads milliseconds separated by spaces; a file has lines instead.
impl Written for Trace {
    const NAME: &'static str = "Trace";
    const EXPECTED: &'static str = "the name of a file beside the scenario with one ascending whole \
        number of milliseconds a line, as mahimahi has them; or the numbers with spaces, \"1 1 3\"";
    const PATTERN: &'static str = r"^[0-9]+( [0-9]+)*$";

    fn other_schema() -> Option<Schema> {
        let description = "A file of one number a line, beside the scenario.";
        Some(json_schema!({
            "type": "string", "format": "path", "pattern": "[^0-9 ]", "description": description,
        }))
    }

    fn read(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> =
            text.split_ascii_whitespace().map(|number| number.parse().ok()).collect();
        Self::new(numbers?)
    }

    fn write(&self) -> Value {
        self.to_text().into()
    }
}

written!(StepRate, Trace);

const NANOS: u128 = 1_000_000_000;
/// Capacity of one opportunity: a packet of 1500 bytes with the header of mahimahi's TUN device.
const OPPORTUNITY: Bytes = Bytes(1504);
/// Length of the header of flags and protocol that a TUN device puts before each packet (`tun_pi`
/// of Linux). mahimahi counts this header in opportunities and in its queue limits in bytes.
pub(super) const TUN_HEADER: Bytes = Bytes(4);
/// Maximum period: eleven days, as for all times.
const LONGEST_MILLIS: u64 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(millis)
    }

    fn opportunities(millis: &[u64]) -> Server {
        Server::new(Varying::Opportunities(Trace::new(millis.to_vec()).expect("a trace")))
    }

    /// Serves frames of these lengths that are all there from the start, and returns the end of
    /// each.
    fn ends(server: &mut Server, wires: &[u64]) -> Vec<Instant> {
        let mut free = Instant::ZERO;
        let mut next = |wire: &u64| {
            let begins = server.begins(free);
            free = server.serve(begins, Bytes(*wire));
            free
        };
        wires.iter().map(&mut next).collect()
    }

    /// Two opportunities in millisecond 3, none in 2; after the last number the trace repeats.
    #[test]
    fn each_number_carries_1504_bytes_and_the_last_is_the_period() {
        let mut server = opportunities(&[1, 3, 3, 5]);
        let found = ends(&mut server, &[1500; 9]);
        assert_eq!(found, [1, 3, 3, 5, 6, 8, 8, 10, 11].map(at));
    }

    #[test]
    fn a_frame_goes_on_with_the_next_opportunity_and_short_ones_share_one() {
        let mut server = opportunities(&[1, 2, 7, 8]);
        assert_eq!(ends(&mut server, &[496, 1000, 96, 1596, 1304]), [1, 1, 2, 7, 7].map(at));
    }

    /// The opportunities at 1 and 2 are unused. The rest of an opportunity is for frames that are
    /// there in time.
    #[test]
    fn what_nobody_uses_is_lost() {
        let mut server = opportunities(&[1, 2, 7, 8]);
        let begins = server.begins(at(3));
        assert_eq!((begins, server.serve(begins, Bytes(100))), (at(7), at(7)));
        assert_eq!(server.begins(at(7)), at(7));
        let later = at(7) + Duration::from_nanos(1);
        assert_eq!(server.begins(later), at(8));
    }

    #[test]
    fn a_trace_ascends_and_takes_time() {
        assert!(Trace::read("1 1 3").is_some());
        for wrong in ["", "0", "3 1", "1 x", "-1"] {
            assert_eq!(Trace::read(wrong), None, "{wrong}");
        }
        assert_eq!(Trace::read("1\n1\n3\n").map(|it| it.write()), Some("1 1 3".into()));
    }

    /// 1000 bytes at 8 kbit/s take 1 s; the second half of them at 16 kbit/s half of that.
    #[test]
    fn a_frame_that_meets_a_step_goes_on_at_the_new_rate() {
        let rate = |bps| Bitrate::from_bps(bps).expect("not zero");
        let step = |millis, bps| RateStep {
            at: Duration::from_millis(millis),
            rate: StepRate(Some(rate(bps))),
        };
        let steps = vec![step(0, 8_000), step(500, 16_000), step(2000, 1), step(3000, 8_000_000)];
        let mut server = Server::new(Varying::Rates(steps));
        assert_eq!(server.serve(at(0), Bytes(1000)), at(750));
        assert_eq!(server.serve(at(750), Bytes(1000)), at(1250));
        // 750 ms at 16 kbit/s are 1500 of 2000 bytes; 1 bit/s carries one bit in a second; the rest
        // takes half a millisecond.
        let end = server.serve(at(1250), Bytes(2000)).as_nanos();
        assert_eq!(end, 3_000_000_000 + (4000 - 1) * 125);
    }

    /// mahimahi(1): a trace "1" is 12 Mbit/s of full packets. An opportunity has space for 26.857
    /// times 56 = 52 + 4 bytes. Ten opportunities carry 268 packets of 52 bytes and the start of
    /// one more.
    #[test]
    fn each_frame_needs_four_bytes_more_of_a_trace() {
        let in_millis = |length, millis| {
            let ends = ends(&mut opportunities(&[1]), &[length; 400]);
            ends.iter().filter(|&&end| end <= at(millis)).count()
        };
        assert_eq!(in_millis(1500, 10), 10);
        assert_eq!(in_millis(52, 10), 15_040 / 56);
    }

    /// 1000 bytes at 8 kbit/s take a second. Half of it is before the outage of 300 ms.
    #[test]
    fn an_outage_holds_the_frame_on_the_wire() {
        let step = |millis, rate: &str| RateStep {
            at: Duration::from_millis(millis),
            rate: StepRate::read(rate).expect("a rate"),
        };
        let steps = vec![step(0, "8 kbit/s"), step(500, "0 bit/s"), step(800, "16 kbit/s")];
        let mut server = Server::new(Varying::Rates(steps));
        assert_eq!(server.serve(at(0), Bytes(1000)), at(1050));
        assert_eq!(server.serve(at(1050), Bytes(1000)), at(1550));
        let dark = vec![step(0, "0 Mbit/s"), step(1000, "0 bit/s"), step(2000, "8 Mbit/s")];
        let mut server = Server::new(Varying::Rates(dark));
        assert_eq!(server.serve(at(100), Bytes(1000)), at(2001));
    }

    #[test]
    fn an_outage_is_written_as_it_is_read() {
        for (text, written) in
            [("0 bit/s", "0 bit/s"), ("0.0 Mbit/s", "0 bit/s"), ("5 kbit/s", "5 kbit/s")]
        {
            assert_eq!(StepRate::read(text).map(|it| it.write()), Some(written.into()));
        }
        for wrong in ["0", "0 Mbps", "-1 bit/s", "0.5 bit/s"] {
            assert_eq!(StepRate::read(wrong), None, "{wrong}");
        }
    }
}
