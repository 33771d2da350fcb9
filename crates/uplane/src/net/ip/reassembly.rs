//! Incomplete packets, of which some fragments have arrived (RFC 791 §3.2, RFC 815).
//!
//! In: fragments, in any order. Out: the complete packet when its last missing byte arrives, or all
//! its fragments after the timeout.
//!
//! The missing parts of a packet are a list of holes (RFC 815 §3): at first one without an end;
//! each fragment fills all or a part of one.
//!
//! Left out: a limit of memory, which a receiver under attack or with heavy loss would need, and
//! the discard of overlapping fragments (RFC 8200 §4.5), since nothing here forges any.

use std::collections::BTreeMap;

use crate::net::Ecn;
use crate::net::ledger::Cause;
use crate::net::packet::{Body, Fragment, Packet};
use crate::net::tally::Count;
use crate::unit::{Duration, HostId, Instant, PacketId};

/// All incomplete packets.
#[derive(Clone, Debug)]
pub(crate) struct Reassembly {
    timeout: Duration,
    /// The packet whose first fragment arrived last. Without losses it is the only one.
    newest: Option<(Key, Partial)>,
    /// All other incomplete packets, by key.
    older: BTreeMap<Key, Partial>,
    /// The other packets in the order of their first fragments, which is also that of their
    /// deadlines.
    order: BTreeMap<u64, Key>,
    begun: u64,
    /// Allocated lists of a former packet, for the next one.
    spare: Partial,
}

/// The result of inserting a fragment.
#[derive(Debug)]
pub(crate) enum Insertion {
    /// The fragment was the last one missing: the packet, and the count of its fragments.
    Complete(Box<Packet>, Count),
    /// Other fragments are missing.
    Waiting,
    /// The fragment contained no new data.
    Duplicate(Box<Packet>),
}

/// Key of a packet: source, packet, and [`Fragment::cut`]. RFC 791 §3.2 uses the addresses, the
/// protocol and the identification.
type Key = (HostId, PacketId, u64);

#[derive(Clone, Debug, Default)]
struct Partial {
    number: u64,
    deadline: Instant,
    /// Ranges `[first, end)` of the payload that are missing.
    holes: Vec<(u64, u64)>,
    #[expect(clippy::vec_box, reason = "a packet stays in its box from entity to entity")]
    pieces: Vec<Box<Packet>>,
}

impl Reassembly {
    pub(crate) fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            newest: None,
            older: BTreeMap::new(),
            order: BTreeMap::new(),
            begun: 0,
            spare: Partial::default(),
        }
    }

    /// Inserts a fragment.
    pub(crate) fn insert(&mut self, now: Instant, fragment: Box<Packet>) -> Insertion {
        let piece = fragment_of(&fragment);
        let key = (fragment.source, fragment.id, piece.cut);
        let partial = self.partial(now, key);
        if !partial.fill(piece) {
            return Insertion::Duplicate(fragment);
        }
        partial.pieces.push(fragment);
        if !partial.holes.is_empty() {
            return Insertion::Waiting;
        }
        let mut complete = self.remove(key);
        let count = complete.count();
        let whole = complete.join(now);
        self.spare = complete;
        Insertion::Complete(whole, count)
    }

    /// Returns the time at which the oldest packet is given up.
    #[inline]
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.order.first_key_value() {
            Some((_, key)) => Some(self.older[key].deadline),
            None => self.newest.as_ref().map(|(_, newest)| newest.deadline),
        }
    }

    /// Returns the fragments of the oldest packet, if its deadline has passed.
    pub(crate) fn expire(
        &mut self,
        now: Instant,
    ) -> Option<impl Iterator<Item = Box<Packet>> + use<>> {
        if self.deadline()? > now {
            return None;
        }
        let oldest = match self.order.first_key_value() {
            Some((_, &key)) => self.remove(key),
            None => self.newest.take()?.1,
        };
        Some(oldest.pieces.into_iter())
    }

    /// Counts all fragments inside.
    pub(crate) fn held(&self) -> Count {
        let mut sum = Count::default();
        self.older.values().for_each(|partial| sum += partial.count());
        if let Some((_, newest)) = &self.newest {
            sum += newest.count();
        }
        sum
    }

    /// Returns the state of this packet, to insert another fragment.
    fn partial(&mut self, now: Instant, key: Key) -> &mut Partial {
        let is_newest = self.newest.as_ref().is_some_and(|(newest, _)| *newest == key);
        if !is_newest && self.older.contains_key(&key) {
            return self.older.get_mut(&key).expect("it was found");
        }
        if !is_newest {
            self.begun += 1;
            let mut partial = std::mem::take(&mut self.spare);
            partial.begin(self.begun, now + self.timeout);
            if let Some((key, older)) = self.newest.replace((key, partial)) {
                self.order.insert(older.number, key);
                self.older.insert(key, older);
            }
        }
        &mut self.newest.as_mut().expect("it is or has become the newest").1
    }

    fn remove(&mut self, key: Key) -> Partial {
        if let Some((_, newest)) = self.newest.take_if(|(newest, _)| *newest == key) {
            return newest;
        }
        let partial = self.older.remove(&key).expect("a listed packet is there");
        self.order.remove(&partial.number);
        partial
    }
}

impl Partial {
    fn begin(&mut self, number: u64, deadline: Instant) {
        (self.number, self.deadline) = (number, deadline);
        self.holes.clear();
        self.holes.push((0, u64::MAX));
    }

    /// Removes the fragment's bytes from the holes (RFC 815 §3). Returns `false` if the fragment is
    /// in no hole.
    fn fill(&mut self, piece: &Fragment) -> bool {
        let (first, end) = (piece.offset.0, piece.offset.0 + piece.payload.0);
        // The fragment directly follows those that have arrived in order.
        if let [hole] = &mut self.holes[..]
            && hole.0 == first
            && end > first
            && end < hole.1
            && piece.more
        {
            hole.0 = end;
            return true;
        }
        let mut filled = false;
        let mut left = Vec::new();
        for &(hole_first, hole_end) in &self.holes {
            if end <= hole_first || hole_end <= first {
                left.push((hole_first, hole_end));
                continue;
            }
            filled = true;
            if hole_first < first {
                left.push((hole_first, first));
            }
            // There is no hole after the last fragment.
            if end < hole_end && piece.more {
                left.push((end, hole_end));
            }
        }
        self.holes.clear();
        self.holes.append(&mut left);
        filled
    }

    fn count(&self) -> Count {
        let mut count = Count::default();
        self.pieces.iter().for_each(|piece| count.add(piece.length));
        count
    }

    /// Returns the packet that the first fragment carried, with that fragment's ledger and then the
    /// wait. The packet is marked if one of the fragments was (RFC 3168 §5.3).
    fn join(&mut self, now: Instant) -> Box<Packet> {
        let is_marked = self.pieces.iter().any(|fragment| fragment.ecn() == Ecn::Ce);
        for fragment in self.pieces.drain(..) {
            let Packet { body: Body::Fragment(piece), ledger, .. } = *fragment else { continue };
            if let Some(mut whole) = piece.whole {
                whole.ledger = ledger;
                if is_marked {
                    whole.mark();
                }
                whole.ledger.charge(Cause::FragmentWait, now);
                return whole;
            }
        }
        panic!("the first fragment carries the packet");
    }
}

fn fragment_of(packet: &Packet) -> &Fragment {
    match &packet.body {
        Body::Fragment(piece) => piece,
        other => panic!("not a fragment: {other:?}"),
    }
}
