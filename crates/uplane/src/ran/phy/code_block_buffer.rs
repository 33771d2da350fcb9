//! The received code blocks of a transport block with code block groups: each code block decodes,
//! or is lost, on its own.
//!
//! In: transmissions of some code block groups, their losses. Out: the groups that still fail.
//!
//! A code block that has decoded remains decoded. Code blocks that follow each other and were
//! received alike are one part with one soft buffer, and each is drawn with the error of one. At
//! first all are one part, and parts are divided if a transmission treats their code blocks
//! differently. A transport block whose groups are always sent together, and lose nothing, fails as
//! often as one without groups ([`super::SoftBuffer`]).
//!
//! Left out: a CRC of the transport block that fails although those of all code blocks pass.

use super::code_block::CodeBlocks;
use super::code_block_groups::{CodeBlockGroups, GroupBits};
use super::link_model::LinkModel;
use super::puncture::{Damage, Punctures};
use super::soft_buffer::{Reception, SoftBuffer};
use crate::sim::Stream;

/// The code blocks of one transport block at its receiver.
#[derive(Clone, Debug)]
pub struct CodeBlockBuffer {
    groups: CodeBlockGroups,
    parts: Vec<Part>,
    /// One flag for each code block: it has decoded.
    decoded: Vec<bool>,
}

/// Code blocks that were received alike, following those of the previous part.
#[derive(Clone, Debug)]
struct Part {
    /// Index after the last code block of the part.
    end: u32,
    soft: SoftBuffer,
}

/// One transmission of some groups of a transport block.
#[derive(Clone, Copy, Debug)]
pub struct Transmission<'a> {
    /// The groups that are sent.
    pub groups: GroupBits,
    /// Losses of the transmission.
    pub punctures: &'a Punctures,
    /// Number of symbols of the transmission. Without effect if nothing is lost.
    pub symbols: u32,
}

impl CodeBlockBuffer {
    /// Creates a buffer for `blocks` in at most `most_groups` groups, with nothing received.
    pub fn new(blocks: CodeBlocks, most_groups: u32) -> Self {
        let groups = CodeBlockGroups::new(most_groups, blocks.count());
        let decoded = vec![false; blocks.count() as usize];
        let all = Part { end: blocks.count(), soft: SoftBuffer::new(blocks) };
        Self { groups, parts: vec![all], decoded }
    }

    /// Resets the buffer for a new transport block with `blocks`.
    pub fn start(&mut self, blocks: CodeBlocks, most_groups: u32) {
        self.groups = CodeBlockGroups::new(most_groups, blocks.count());
        self.parts.truncate(1);
        let all = &mut self.parts[0];
        all.end = blocks.count();
        all.soft.start(blocks);
        self.decoded.clear();
        self.decoded.resize(blocks.count() as usize, false);
    }

    /// Returns the grouping of the code blocks.
    pub const fn groups(&self) -> CodeBlockGroups {
        self.groups
    }

    /// Takes a transmission. `reception` returns the coded bits of all its groups together, and is
    /// called only if the SINR decides.
    pub fn receive(
        &mut self,
        link: &LinkModel,
        sent: &Transmission<'_>,
        reception: impl Fn() -> Reception,
        stream: &mut Stream,
    ) {
        self.divide(sent);
        let Self { groups, parts, decoded } = self;
        let count = groups.code_blocks_of(sent.groups);
        let (mut start, mut number) = (0, 0);
        for part in parts {
            let members = start..part.end;
            start = part.end;
            if !sent.groups.has(groups.group_of(members.start)) {
                continue;
            }
            let damage = sent.damage(number, count);
            number += members.len() as u32;
            let decoded = &mut decoded[members.start as usize..members.end as usize];
            if decoded.contains(&false) {
                let error = link.code_block_error(&mut part.soft, count, damage, &reception);
                for decoded in decoded.iter_mut().filter(|decoded| !**decoded) {
                    *decoded = error.is_zero() || !stream.chance(error);
                }
            }
        }
    }

    /// Divides parts whose code blocks differ in this transmission.
    fn divide(&mut self, sent: &Transmission<'_>) {
        let groups = self.groups;
        if sent.groups != groups.all() {
            for group in 1..groups.count() {
                if sent.groups.has(group) != sent.groups.has(group - 1) {
                    self.divide_before(groups.members(group).start);
                }
            }
        }
        if sent.punctures.is_empty() {
            return;
        }
        let count = groups.code_blocks_of(sent.groups);
        let members = groups.each(sent.groups).flat_map(|group| groups.members(group));
        for (number, member) in (0..).zip(members) {
            if sent.damage(number, count) != Damage::NONE {
                self.divide_before(member);
                self.divide_before(member + 1);
            }
        }
    }

    /// Divides a part so that one ends before code block `member`.
    fn divide_before(&mut self, member: u32) {
        let place = self.parts.partition_point(|part| part.end < member);
        if member > 0 && self.parts.get(place).is_some_and(|part| part.end != member) {
            let before = Part { end: member, ..self.parts[place].clone() };
            self.parts.insert(place, before);
        }
    }

    /// Discards the earlier receptions of these groups, which are spoilt (CBGFI, TS 38.212
    /// §7.3.1.2.2).
    pub fn flush(&mut self, groups: GroupBits) {
        let mut start = 0;
        for part in &mut self.parts {
            let members = start..part.end;
            start = part.end;
            if self.groups.each(groups).any(|group| {
                let of = self.groups.members(group);
                of.start < members.end && members.start < of.end
            }) {
                part.soft.flush();
            }
        }
    }

    /// Returns the groups with a code block that has not decoded, as reported by HARQ-ACK.
    pub fn failed(&self) -> GroupBits {
        let mut failed = GroupBits::NONE;
        for group in 0..self.groups.count() {
            let members = self.groups.members(group);
            let decoded = &self.decoded[members.start as usize..members.end as usize];
            failed.set(group, decoded.contains(&false));
        }
        failed
    }
}

impl Transmission<'_> {
    /// Returns the losses of code block `number` of `count`.
    fn damage(&self, number: u32, count: u32) -> Damage {
        if self.punctures.is_empty() {
            return Damage::NONE;
        }
        self.punctures.damage(number, count, self.symbols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::{ChannelCode, Modulation, Receiver, RedundancyVersion};
    use crate::sim::Streams;
    use crate::unit::{Decibel, Probability, math};

    fn stream() -> Stream {
        Streams::new(3).open("code blocks", "test")
    }

    fn prescribed(errors: &[f64]) -> LinkModel {
        let errors = errors.iter().map(|&error| Probability::new(error).expect("a probability"));
        LinkModel::FixedBler(errors.collect())
    }

    fn blocks(count: u32) -> CodeBlocks {
        CodeBlocks::equal(ChannelCode::LdpcGraph1, count, 6000.0)
    }

    fn nothing() -> Reception {
        unreachable!("the error is prescribed")
    }

    /// Sends these groups without losses.
    fn send(
        buffer: &mut CodeBlockBuffer,
        link: &LinkModel,
        groups: GroupBits,
        stream: &mut Stream,
    ) {
        let sent = Transmission { groups, punctures: &Punctures::default(), symbols: 14 };
        buffer.receive(link, &sent, nothing, stream);
    }

    /// All groups sent together fail as often as one block without groups, at the first
    /// transmission and at retransmissions: `1 − (1 − p)^C` for the error `p` of each.
    #[test]
    fn told_apart_code_blocks_fail_as_often_together() {
        let link = LinkModel::Sinr(Receiver::Ideal);
        let heard = |transmission, db| Reception {
            modulation: Modulation::Qam64,
            sinr: Decibel(db).into(),
            rv: RedundancyVersion::of_transmission(transmission),
            coded_bits: 100_001,
        };
        let (mut whole, mut one) = (SoftBuffer::new(blocks(13)), SoftBuffer::new(blocks(13)));
        let (mut together, mut each) = (1.0, 1.0);
        for (transmission, db) in [(0, 14.24), (1, 3.0)] {
            let reception = heard(transmission, db);
            together *= link.block_error(&mut whole, || reception).value();
            each *= link.code_block_error(&mut one, 13, Damage::NONE, || reception).value();
            let expected = 1.0 - math::pow(1.0 - each, 13.0);
            assert!((together - expected).abs() < 1e-9, "{together} {expected}");
        }
    }

    /// A prescribed error is that of a block with all groups sent.
    #[test]
    fn a_block_fails_with_the_prescribed_probability() {
        let (link, mut stream) = (prescribed(&[0.3]), stream());
        let fails = |buffer: &CodeBlockBuffer| !buffer.failed().is_none();
        let failed = (0..4000)
            .filter(|_| {
                let mut buffer = CodeBlockBuffer::new(blocks(9), 4);
                let all = buffer.groups().all();
                send(&mut buffer, &link, all, &mut stream);
                fails(&buffer)
            })
            .count();
        // Four standard deviations are 116.
        assert!((1084..1316).contains(&failed), "{failed}");
    }

    #[test]
    fn decoded_groups_stay_and_unsent_groups_fail() {
        let (link, mut stream) = (prescribed(&[1.0, 0.0, 1.0]), stream());
        let mut buffer = CodeBlockBuffer::new(blocks(9), 4);
        let all = buffer.groups().all();
        send(&mut buffer, &link, all, &mut stream);
        assert_eq!(buffer.failed(), all, "nothing decodes");
        let mut some = GroupBits::NONE;
        for group in [0, 2] {
            some.set(group, true);
        }
        send(&mut buffer, &link, some, &mut stream);
        let failed = buffer.failed();
        assert!(!failed.has(0) && failed.has(1) && !failed.has(2) && failed.has(3));
        // A third transmission would fail.
        send(&mut buffer, &link, some, &mut stream);
        assert_eq!(buffer.failed(), failed, "what has decoded stays so");
    }

    #[test]
    fn a_new_block_begins_with_nothing() {
        let (link, mut stream) = (prescribed(&[0.0]), stream());
        let mut buffer = CodeBlockBuffer::new(blocks(9), 4);
        let all = buffer.groups().all();
        send(&mut buffer, &link, all, &mut stream);
        assert!(buffer.failed().is_none());
        buffer.start(blocks(2), 4);
        assert_eq!(buffer.groups().count(), 2);
        assert_eq!(buffer.failed(), buffer.groups().all());
    }

    /// Returns the numbers of failed code blocks out of 400, each in a buffer of seven: after a
    /// transmission in which two of fourteen symbols lost this share, and after a retransmission
    /// without losses.
    fn failures(share: f64, is_known: bool, flushes: bool) -> [usize; 2] {
        let link = LinkModel::Sinr(Receiver::Ideal);
        let heard = |transmission, groups: u32| Reception {
            modulation: Modulation::Qam64,
            sinr: Decibel(18.0).into(),
            rv: RedundancyVersion::of_transmission(transmission),
            coded_bits: groups * 7500,
        };
        let mut punctures = Punctures::default();
        if share > 0.0 {
            punctures.add(4, 6, share, is_known);
        }
        let mut stream = stream();
        let mut failed = [0; 2];
        for _ in 0..400 {
            let mut buffer = CodeBlockBuffer::new(blocks(7), 7);
            let all = buffer.groups().all();
            let first = Transmission { groups: all, punctures: &punctures, symbols: 14 };
            buffer.receive(&link, &first, || heard(0, 7), &mut stream);
            let missing = buffer.failed();
            failed[0] += missing.count() as usize;
            assert_eq!(
                missing.count(),
                u32::from(missing.has(2)),
                "the third lies in symbols 4, 5"
            );
            if flushes {
                buffer.flush(missing);
            }
            let nothing = Punctures::default();
            let again = Transmission { groups: missing, punctures: &nothing, symbols: 14 };
            buffer.receive(&link, &again, || heard(1, 1), &mut stream);
            failed[1] += buffer.failed().count() as usize;
        }
        failed
    }

    /// At 18 dB, more than a decibel above the requirement, nothing fails. A code block that lost
    /// all its bits fails, and a second transmission recovers it. A code block whose bits were
    /// noise has misled the decoder unless that discards them.
    #[test]
    fn only_code_blocks_that_lost_bits_fail() {
        assert_eq!(failures(0.0, true, false), [0, 0]);
        assert_eq!(failures(1.0, true, false), [400, 0]);
        assert_eq!(failures(1.0, false, false), [400, 400]);
        assert_eq!(failures(1.0, false, true), [400, 0]);
    }
    /// CBGFI applies only to the retransmitted groups: of two groups that failed at 14 dB, where
    /// two transmissions together decode and one does not, the other group combines both.
    #[test]
    fn a_flush_is_of_its_groups_alone() {
        let link = LinkModel::Sinr(Receiver::Ideal);
        let mut stream = stream();
        let mut buffer = CodeBlockBuffer::new(blocks(2), 2);
        let all = buffer.groups().all();
        let sent = Transmission { groups: all, punctures: &Punctures::default(), symbols: 14 };
        let heard = |transmission| Reception {
            modulation: Modulation::Qam64,
            sinr: Decibel(14.0).into(),
            rv: RedundancyVersion::of_transmission(transmission),
            coded_bits: 2 * 7500,
        };
        buffer.receive(&link, &sent, || heard(0), &mut stream);
        assert_eq!(buffer.failed(), all);
        let (mut first, mut second) = (GroupBits::NONE, GroupBits::NONE);
        first.set(0, true);
        second.set(1, true);
        // The two code blocks are one part until something treats them differently.
        let nothing = Punctures::default();
        let one = Transmission { groups: first, punctures: &nothing, symbols: 14 };
        let half = || Reception { coded_bits: 7500, sinr: Decibel(-30.0).into(), ..heard(1) };
        buffer.receive(&link, &one, half, &mut stream);
        buffer.flush(first);
        buffer.receive(&link, &sent, || heard(2), &mut stream);
        assert_eq!(buffer.failed(), first);
        buffer.flush(second);
        buffer.receive(&link, &sent, || heard(3), &mut stream);
        assert!(buffer.failed().is_none(), "what has decoded stays so");
    }
}
