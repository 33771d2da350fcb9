//! Maximum payload of a segment (RFC 9293 §3.7.1), and path MTU discovery (RFC 1191, RFC 8201).
//!
//! In: the MSS that the peer announced, the options that every segment carries, the MTU that
//! routers report. Out: the maximum payload.
//!
//! Left out: probing for a larger MTU later (RFC 4821). This matters in runs of ten minutes and
//! more whose path MTU grows.

use super::profile::{AssumedMss, Profile};
use crate::unit::Bytes;

/// Segment size of one direction.
#[derive(Clone, Debug)]
pub(super) struct SegmentSize {
    /// Minimum of the peer's MSS, our own, and the limit of the path.
    mss: u64,
    /// Bytes of options in every segment.
    options: u64,
    /// Options count against `mss`.
    counted: bool,
}

impl SegmentSize {
    /// Returns the size towards a peer that announced `peer` (`None`: nothing).
    pub(super) fn new(profile: &Profile, peer: Option<Bytes>, timestamps: bool) -> Self {
        let peer = peer.unwrap_or(match profile.assumed_peer_mss {
            AssumedMss::Own => profile.mss,
            AssumedMss::Of(mss) => mss,
        });
        let options = if timestamps { TIMESTAMPS_LENGTH } else { 0 };
        let counted = profile.options_count_in_mss;
        Self { mss: profile.mss.min(peer).0, options, counted }
    }

    /// Returns the maximum payload (`Eff.snd.MSS`).
    pub(super) fn payload(&self) -> u64 {
        let options = if self.counted { self.options } else { 0 };
        self.mss.saturating_sub(options).max(1)
    }

    /// Returns the maximum payload of a SYN, which leaves space for all options that a header can
    /// have.
    pub(super) fn payload_of_syn(&self) -> u64 {
        let options = if self.counted { MOST_OPTIONS } else { 0 };
        self.mss.saturating_sub(options)
    }

    /// Processes the report that the path takes packets up to `mtu`. Returns `true` if segments
    /// become smaller.
    pub(super) fn lower(&mut self, mtu: Bytes, ip_header: Bytes) -> bool {
        // Options on top of a full payload have to fit as well.
        let options = if self.counted { 0 } else { self.options };
        let header = ip_header + TCP_HEADER + Bytes(options);
        let fits = mtu.saturating_sub(header).0;
        let lower = fits < self.mss;
        self.mss = self.mss.min(fits);
        lower
    }
}

/// The TCP header without options.
const TCP_HEADER: Bytes = Bytes(20);
/// RFC 9293 §3.1: a header has at most 15 words. Linux leaves this space free in a SYN with data.
const MOST_OPTIONS: u64 = 40;
/// The timestamps option with its padding (RFC 7323 appendix A).
const TIMESTAMPS_LENGTH: u64 = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn size(peer: Option<u64>, timestamps: bool) -> u64 {
        SegmentSize::new(&Profile::rfc(), peer.map(Bytes), timestamps).payload()
    }

    /// RFC 9293 §3.7.1, RFC 7323 appendix A: the smaller MSS of both ends, less the options; 536 if
    /// the peer announces none.
    #[test]
    fn options_and_the_peer_limit_the_payload() {
        assert_eq!(size(Some(1460), false), 1460);
        assert_eq!(size(Some(1460), true), 1448);
        assert_eq!(size(Some(9000), false), 1460);
        assert_eq!(size(None, false), 536);
    }

    /// RFC 1191 §3 and RFC 8201 §4
    #[test]
    fn only_a_smaller_path_mtu_counts() {
        let mut size = SegmentSize::new(&Profile::rfc(), Some(Bytes(1460)), false);
        assert!(size.lower(Bytes(1400), Bytes(20)));
        assert_eq!(size.payload(), 1360);
        assert!(!size.lower(Bytes(1500), Bytes(20)));
        assert_eq!(size.payload(), 1360);
    }

    /// RFC 9293 §3.7.1: options are part of the packet that has to fit, whether a profile counts
    /// them against the segment size or adds them to it.
    #[test]
    fn full_segment_with_options_fits_the_path() {
        for (options_count_in_mss, before) in [(true, 1448), (false, 1460)] {
            let profile = Profile { options_count_in_mss, ..Profile::rfc() };
            let mut size = SegmentSize::new(&profile, Some(Bytes(1460)), true);
            assert_eq!(size.payload(), before);
            assert!(size.lower(Bytes(1400), Bytes(20)));
            assert_eq!(20 + 20 + 12 + size.payload(), 1400, "{options_count_in_mss}");
        }
    }
}
