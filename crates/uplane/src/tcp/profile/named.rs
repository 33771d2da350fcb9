//! The named profiles: the specifications, two stacks, and what the published studies used.
//!
//! Each study profile holds what its text states and what it leaves out; the study says which is which.

use super::{
    AckPolicy, CongestionConfig, CongestionControl, Growth, InitialWindow, Nagle, OptionConfig,
    Profile, ReceiverConfig, RecoveryConfig, Reduction, RtoParameters, SackRecovery, SegmentConfig,
    SenderConfig, TimerConfig,
};
use crate::net::IpVersion;
use crate::unit::{Bytes, Duration};

impl Profile {
    /// The current specifications, with their recommended values: NewReno (RFC 5681, RFC 6582), SACK
    /// (RFC 6675), an initial window of ten (RFC 6928), byte counting (RFC 3465).
    pub fn rfc() -> Self {
        Self {
            ip: IpVersion::V4,
            segments: SegmentConfig {
                mss: Bytes(1460),
                announce_mss: true,
                assumed_peer_mss: Bytes(536),
                options_count_in_mss: true,
            },
            options: OptionConfig { sack: true, timestamps: true, window_scaling: true },
            congestion: CongestionConfig {
                control: CongestionControl::NewReno,
                hystart: false,
                growth: Growth::PerByte { limit: Some(2) },
                initial_window: InitialWindow::Rfc6928,
                initial_ssthresh: None,
                maximum_cwnd: None,
                grow_only_when_limited: true,
                restart_after_idle: true,
            },
            recovery: RecoveryConfig {
                sack: SackRecovery::Rfc6675,
                reduction: Reduction::AtOnce,
                limited_transmit: true,
                duplicate_threshold: 3,
            },
            sender: SenderConfig {
                nagle: Nagle::Classic,
                pacing: None,
                buffer: None,
                write_size: None,
            },
            timers: TimerConfig {
                rto: RtoParameters {
                    initial: Duration::from_secs(1),
                    minimum: Duration::from_secs(1),
                    maximum: Duration::from_secs(60),
                    granularity: Duration::from_millis(1),
                    share_weights: true,
                },
                maximum_retransmissions: 15,
                maximum_syn_retransmissions: 6,
                handshake_ack_hold: Duration::ZERO,
                time_wait: Duration::from_secs(1),
            },
            receiver: ReceiverConfig { buffer: Bytes(6 << 20), acks: every_second(200) },
        }
    }

    /// Like a Linux of today as far as this model goes: CUBIC with HyStart++ and PRR, growth by
    /// acknowledged bytes, quick and adaptive acknowledgements, a minimum timeout of 200 ms.
    ///
    /// Left out: RACK and tail loss probes (RFC 8985), F-RTO, the tuning of buffers, and Linux's own
    /// older HyStart.
    pub fn linux() -> Self {
        let mut profile = Self::rfc();
        profile.congestion.control = CongestionControl::Cubic;
        profile.congestion.hystart = true;
        profile.congestion.growth = Growth::PerByte { limit: None };
        profile.recovery.reduction = Reduction::Proportional;
        profile.sender.nagle = Nagle::Minshall;
        profile.timers.rto.minimum = Duration::from_millis(200);
        profile.timers.rto.maximum = Duration::from_secs(120);
        profile.timers.rto.granularity = Duration::from_millis(200);
        profile.receiver.acks = AckPolicy::Adaptive {
            quick: 16,
            shortest: Duration::from_millis(40),
            longest: Duration::from_millis(200),
        };
        profile
    }

    /// The defaults of ns-3 in 2018 as in [`Profile::ns3_lena`], with all that its release 3.29 does when it repairs losses.
    pub fn ns3_2018() -> Self {
        let mut profile = Self::ns3_lena();
        profile.recovery.sack = SackRecovery::Ns3;
        profile
    }

    /// The defaults of ns-3 in the year of the published LTE runs (2018): 536-byte segments with options
    /// on top, an initial window of one, a timeout of at least a second, buffers of 128 KiB. The first segment of a
    /// connection is acknowledged at once, so that a window of one does not wait for the timer.
    pub fn ns3_lena() -> Self {
        let mut profile = Self::rfc();
        profile.segments.mss = Bytes(536);
        profile.segments.options_count_in_mss = false;
        profile.congestion.growth = Growth::PerAck;
        profile.congestion.initial_window = InitialWindow::Segments(1);
        profile.congestion.grow_only_when_limited = false;
        profile.congestion.restart_after_idle = false;
        profile.recovery.sack = SackRecovery::PartialResend;
        profile.sender.nagle = Nagle::Off;
        profile.sender.buffer = Some(Bytes(131_072));
        profile.timers.rto.share_weights = false;
        profile.receiver = ReceiverConfig {
            buffer: Bytes(131_072),
            acks: AckPolicy::Every { segments: 2, delay: Duration::from_millis(200), quick: 1 },
        };
        profile
    }

    /// Study 000, literally: segments of 1460 bytes, an initial window of three.
    pub fn study_000_literal() -> Self {
        let mut profile = Self::bare();
        profile.options.window_scaling = true;
        profile.congestion.initial_window = InitialWindow::Segments(3);
        profile.receiver.buffer = Bytes(1 << 20);
        profile
    }

    /// Study 000 with small grants: segments of 1000 bytes, an initial window of eight.
    pub fn study_000_small_sr_grant() -> Self {
        let mut profile = Self::study_000_literal();
        profile.segments.mss = Bytes(1000);
        profile.segments.assumed_peer_mss = Bytes(1000);
        profile.congestion.initial_window = InitialWindow::Segments(8);
        profile
    }

    /// Study 002: an initial window of three, an acknowledgement for every second segment or after
    /// 40 ms, windows without limit, headers of 40 bytes.
    pub fn study_002() -> Self {
        let mut profile = Self::bare();
        profile.options.window_scaling = true;
        profile.congestion.initial_window = InitialWindow::Segments(3);
        profile.receiver = ReceiverConfig { buffer: Bytes(1 << 30), acks: every_second(40) };
        profile
    }

    /// Study 004, the plain reading: every second segment is acknowledged at once, a lone one after
    /// 100 ms.
    pub fn study_004_plain() -> Self {
        let mut profile = Self::bare();
        let mss = profile.segments.mss;
        profile.congestion.initial_window = InitialWindow::Segments(2);
        profile.congestion.initial_ssthresh = Some(mss * 40);
        profile.congestion.maximum_cwnd = Some(mss * 42);
        profile.timers.rto =
            RtoParameters { initial: Duration::from_secs(3), ..Self::rfc().timers.rto };
        profile.receiver = ReceiverConfig { buffer: Bytes(65_535), acks: every_second(100) };
        profile
    }

    /// Study 004 with the handshake's last acknowledgement held for 100 ms, with the request.
    pub fn study_004_held_handshake() -> Self {
        let mut profile = Self::study_004_plain();
        profile.timers.handshake_ack_hold = Duration::from_millis(100);
        profile
    }

    /// Study 004 with every acknowledgement of data held for 100 ms.
    pub fn study_004_held_acks() -> Self {
        let mut profile = Self::study_004_plain();
        profile.receiver.acks =
            AckPolicy::FixedDelay { segments: 2, delay: Duration::from_millis(100) };
        profile
    }

    /// The TCP of the older studies: NewReno without any option, so that a SYN or an acknowledgement is
    /// 40 bytes with its IP header; one segment of growth for each acknowledgement.
    fn bare() -> Self {
        let mut profile = Self::rfc();
        profile.segments.announce_mss = false;
        profile.segments.assumed_peer_mss = Bytes(1460);
        profile.options = OptionConfig { sack: false, timestamps: false, window_scaling: false };
        profile.congestion.growth = Growth::PerAck;
        profile.congestion.grow_only_when_limited = false;
        profile.congestion.restart_after_idle = false;
        profile.recovery.limited_transmit = false;
        profile.sender.nagle = Nagle::Off;
        profile.timers.rto.share_weights = false;
        profile
    }
}

/// Every second segment is acknowledged, a lone one after so many milliseconds.
fn every_second(millis: u64) -> AckPolicy {
    AckPolicy::Every { segments: 2, delay: Duration::from_millis(millis), quick: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Segment;

    /// Study 004: acknowledgements and SYNs of 40 bytes, windows of 2 to 42 packets.
    #[test]
    fn the_older_studies_send_bare_headers() {
        for profile in [Profile::study_004_plain(), Profile::study_000_literal()] {
            let options = &profile.options;
            assert!(!profile.segments.announce_mss && !options.sack && !options.timestamps);
            assert!(!options.window_scaling || profile.receiver.buffer.0 > 65_535);
        }
        assert_eq!(Segment::default().header_length(), Bytes(20));
        assert!(Profile::study_004_plain().receiver.buffer >= Bytes(42 * 1460));
    }
}
