//! RLC and PDCP settings of a bearer by the 5QI of its flow, as in a public base station: the
//! shipped defaults of srsRAN Project (2026). This is one vendor's choice, not a standard.
//!
//! In: a 5QI. Out: its settings, if that base station has a row for it.

use crate::unit::{Bytes, Duration};

/// The RLC and PDCP settings of one 5QI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Settings of RLC in acknowledged mode. `None`: unacknowledged mode.
    pub acknowledged: Option<Acknowledged>,
    /// Number of bits of RLC's sequence numbers.
    pub rlc_sn_length: u32,
    /// `t-Reassembly`
    pub t_reassembly: Duration,
    /// Number of bits of PDCP's sequence numbers.
    pub pdcp_sn_length: u32,
    /// `discardTimer`. `None`: infinity.
    pub discard_timer: Option<Duration>,
    /// `t-Reordering`
    pub t_reordering: Duration,
}

/// The settings that only acknowledged mode has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// `t-PollRetransmit`
    pub t_poll_retransmit: Duration,
    /// `pollPDU`
    pub poll_pdu: u32,
    /// `pollByte`. `None`: infinity.
    pub poll_byte: Option<Bytes>,
    /// `maxRetxThreshold`
    pub max_retx_threshold: u32,
    /// `t-StatusProhibit`
    pub t_status_prohibit: Duration,
}

impl Settings {
    /// Returns the settings of a 5QI.
    pub fn of(five_qi: u8) -> Option<Self> {
        let &(_, mode, t_reassembly, pdcp_sn_length, discard, t_reordering) =
            ROWS.iter().find(|row| row.0.contains(&five_qi))?;
        let ms = Duration::from_millis;
        let acknowledged = |(poll_retransmit, poll_pdu, kilobytes, retransmissions)| Acknowledged {
            t_poll_retransmit: ms(poll_retransmit),
            poll_pdu,
            poll_byte: (kilobytes > 0).then_some(Bytes(1000 * kilobytes)),
            max_retx_threshold: retransmissions,
            t_status_prohibit: ms(10),
        };
        Some(Self {
            acknowledged: mode.map(acknowledged),
            rlc_sn_length: if mode.is_some() { 18 } else { 12 },
            t_reassembly: ms(t_reassembly),
            pdcp_sn_length,
            discard_timer: (discard > 0).then_some(ms(discard)),
            t_reordering: ms(t_reordering),
        })
    }
}

/// A row of the table. 5QIs; for acknowledged mode t-PollRetransmit in ms, pollPDU, pollByte in kB
/// (0 for infinity) and maxRetxThreshold; t-Reassembly in ms; number of bits of PDCP; discardTimer
/// in ms (0 for infinity); t-Reordering in ms.
type Row = (&'static [u8], Option<(u64, u32, u64, u32)>, u64, u32, u64, u64);

const ROWS: [Row; 13] = [
    (&[1, 67], None, 50, 18, 100, 0),
    (&[2], None, 50, 18, 150, 0),
    (&[3], None, 35, 18, 50, 0),
    (&[4], Some((80, 64, 125, 4)), 80, 18, 300, 140),
    (&[5], Some((80, 64, 125, 4)), 80, 18, 100, 500),
    (&[6, 8], Some((80, 64, 125, 4)), 80, 18, 300, 100),
    (&[7], None, 100, 18, 0, 50),
    (&[9], Some((100, 16, 0, 32)), 20, 18, 0, 220),
    (&[69], Some((20, 16, 0, 32)), 20, 18, 60, 0),
    (&[70], Some((20, 16, 0, 32)), 20, 18, 200, 100),
    (&[84], None, 10, 12, 30, 0),
    (&[82, 83, 85, 86, 87, 88], None, 10, 12, 10, 0),
    (&[89, 90], None, 10, 12, 20, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_settings_of_its_row() {
        let ms = Duration::from_millis;
        let best_effort = Settings::of(9).expect("a row");
        let acknowledged = best_effort.acknowledged.expect("acknowledged mode");
        assert_eq!((best_effort.rlc_sn_length, best_effort.discard_timer), (18, None));
        assert_eq!((acknowledged.poll_pdu, acknowledged.poll_byte), (16, None));
        let voice = Settings::of(1).expect("a row");
        assert_eq!((voice.acknowledged, voice.rlc_sn_length), (None, 12));
        assert_eq!((voice.discard_timer, voice.t_reordering), (Some(ms(100)), ms(0)));
        assert_eq!(Settings::of(80), None, "that base station has none");
    }
}
