//! The named profiles: the specifications, two stacks, and what the published studies used.
//!
//! Each study profile holds what its text states and what it leaves out; the study says which is which.

use super::{
    AckPolicy, CongestionControl, Growth, InitialWindow, Nagle, Profile, RtoParameters,
    SackRecovery,
};
use crate::net::IpVersion;
use crate::unit::{Bytes, Duration};

impl Profile {
    /// The current specifications, with their recommended values: NewReno (RFC 5681, RFC 6582), SACK
    /// (RFC 6675), an initial window of ten (RFC 6928), byte counting (RFC 3465).
    pub fn rfc() -> Self {
        Self {
            ip: IpVersion::V4,
            mss: Bytes(1460),
            announce_mss: true,
            assumed_peer_mss: Bytes(536),
            options_count_in_mss: true,
            sack: true,
            timestamps: true,
            window_scaling: true,
            congestion: CongestionControl::NewReno,
            hystart: false,
            growth: Growth::PerByte { limit: Some(2) },
            initial_window: InitialWindow::Rfc6928,
            initial_ssthresh: None,
            maximum_cwnd: None,
            grow_only_when_limited: true,
            restart_after_idle: true,
            limited_transmit: true,
            duplicate_threshold: 3,
            sack_recovery: SackRecovery::Rfc6675,
            proportional_rate_reduction: false,
            nagle: Nagle::Classic,
            pacing: None,
            send_buffer: None,
            write_size: None,
            rto: RtoParameters {
                initial: Duration::from_secs(1),
                minimum: Duration::from_secs(1),
                maximum: Duration::from_secs(60),
                granularity: Duration::from_millis(1),
                share_weights: true,
            },
            maximum_retransmissions: 15,
            maximum_syn_retransmissions: 6,
            receive_buffer: Bytes(6 << 20),
            ack_policy: AckPolicy::Every {
                segments: 2,
                delay: Duration::from_millis(200),
                quick: 0,
            },
            handshake_ack_hold: Duration::ZERO,
            time_wait: Duration::from_secs(1),
        }
    }

    /// Like a Linux of today as far as this model goes: CUBIC with HyStart++ and PRR, growth by
    /// acknowledged bytes, quick and adaptive acknowledgements, a minimum timeout of 200 ms.
    ///
    /// Left out: RACK and tail loss probes (RFC 8985), F-RTO, the tuning of buffers, and Linux's own
    /// older HyStart.
    pub fn linux() -> Self {
        let rfc = Self::rfc();
        Self {
            congestion: CongestionControl::Cubic,
            hystart: true,
            growth: Growth::PerByte { limit: None },
            proportional_rate_reduction: true,
            nagle: Nagle::Minshall,
            rto: RtoParameters {
                minimum: Duration::from_millis(200),
                maximum: Duration::from_secs(120),
                granularity: Duration::from_millis(200),
                ..rfc.rto
            },
            ack_policy: AckPolicy::Adaptive {
                quick: 16,
                shortest: Duration::from_millis(40),
                longest: Duration::from_millis(200),
            },
            ..rfc
        }
    }

    /// The defaults of ns-3 in 2018 as in [`Profile::ns3_lena`], with all that its release 3.29 does when it repairs losses.
    pub fn ns3_2018() -> Self {
        Self { sack_recovery: SackRecovery::Ns3, ..Self::ns3_lena() }
    }

    /// The defaults of ns-3 in the year of the published LTE runs (2018): 536-byte segments with options
    /// on top, an initial window of one, a timeout of at least a second, buffers of 128 KiB. The first segment of a
    /// connection is acknowledged at once, so that a window of one does not wait for the timer.
    pub fn ns3_lena() -> Self {
        let rfc = Self::rfc();
        Self {
            mss: Bytes(536),
            options_count_in_mss: false,
            growth: Growth::PerAck,
            initial_window: InitialWindow::Segments(1),
            grow_only_when_limited: false,
            restart_after_idle: false,
            sack_recovery: SackRecovery::PartialResend,
            nagle: Nagle::Off,
            send_buffer: Some(Bytes(131_072)),
            receive_buffer: Bytes(131_072),
            ack_policy: AckPolicy::Every {
                segments: 2,
                delay: Duration::from_millis(200),
                quick: 1,
            },
            rto: RtoParameters { share_weights: false, ..rfc.rto },
            ..rfc
        }
    }

    /// Study 000, literally: segments of 1460 bytes, an initial window of three.
    pub fn study_000_literal() -> Self {
        Self {
            initial_window: InitialWindow::Segments(3),
            receive_buffer: Bytes(1 << 20),
            window_scaling: true,
            ack_policy: AckPolicy::Every {
                segments: 2,
                delay: Duration::from_millis(200),
                quick: 0,
            },
            ..Self::bare()
        }
    }

    /// Study 000 with small grants: segments of 1000 bytes, an initial window of eight.
    pub fn study_000_small_sr_grant() -> Self {
        Self {
            mss: Bytes(1000),
            assumed_peer_mss: Bytes(1000),
            initial_window: InitialWindow::Segments(8),
            ..Self::study_000_literal()
        }
    }

    /// Study 002: an initial window of three, an acknowledgement for every second segment or after
    /// 40 ms, windows without limit, headers of 40 bytes.
    pub fn study_002() -> Self {
        Self {
            initial_window: InitialWindow::Segments(3),
            receive_buffer: Bytes(1 << 30),
            window_scaling: true,
            ack_policy: AckPolicy::Every {
                segments: 2,
                delay: Duration::from_millis(40),
                quick: 0,
            },
            ..Self::bare()
        }
    }

    /// Study 004, the plain reading: every second segment is acknowledged at once, a lone one after
    /// 100 ms.
    pub fn study_004_plain() -> Self {
        let mss = Bytes(1460);
        Self {
            mss,
            initial_window: InitialWindow::Segments(2),
            initial_ssthresh: Some(mss * 40),
            maximum_cwnd: Some(mss * 42),
            receive_buffer: Bytes(65_535),
            ack_policy: AckPolicy::Every {
                segments: 2,
                delay: Duration::from_millis(100),
                quick: 0,
            },
            rto: RtoParameters { initial: Duration::from_secs(3), ..Self::rfc().rto },
            ..Self::bare()
        }
    }

    /// Study 004 with the handshake's last acknowledgement held for 100 ms, with the request.
    pub fn study_004_held_handshake() -> Self {
        Self { handshake_ack_hold: Duration::from_millis(100), ..Self::study_004_plain() }
    }

    /// Study 004 with every acknowledgement of data held for 100 ms.
    pub fn study_004_held_acks() -> Self {
        Self {
            ack_policy: AckPolicy::Held { segments: 2, delay: Duration::from_millis(100) },
            ..Self::study_004_plain()
        }
    }

    /// The TCP of the older studies: NewReno without any option, so that a SYN or an acknowledgement is
    /// 40 bytes with its IP header; one segment of growth for each acknowledgement.
    fn bare() -> Self {
        let rfc = Self::rfc();
        Self {
            announce_mss: false,
            assumed_peer_mss: Bytes(1460),
            sack: false,
            timestamps: false,
            window_scaling: false,
            growth: Growth::PerAck,
            grow_only_when_limited: false,
            restart_after_idle: false,
            limited_transmit: false,
            nagle: Nagle::Off,
            rto: RtoParameters { share_weights: false, ..rfc.rto },
            ..rfc
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Segment;

    /// Study 004: acknowledgements and SYNs of 40 bytes, windows of 2 to 42 packets.
    #[test]
    fn the_older_studies_send_bare_headers() {
        for profile in [Profile::study_004_plain(), Profile::study_000_literal()] {
            assert!(!profile.announce_mss && !profile.sack && !profile.timestamps);
            assert!(!profile.window_scaling || profile.receive_buffer.0 > 65_535);
        }
        assert_eq!(Segment::default().header_length(), Bytes(20));
        assert!(Profile::study_004_plain().receive_buffer >= Bytes(42 * 1460));
    }
}
