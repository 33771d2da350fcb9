//! The number of workers of a network changes no result.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::*;

/// Processes the parts one after the other, the last one first, and counts tasks.
#[derive(Debug)]
struct Backwards {
    count: usize,
    tasks: Arc<AtomicU64>,
}

impl Workers for Backwards {
    fn count(&self) -> usize {
        self.count
    }

    fn work(&mut self, parts: &mut Vec<Box<Part>>) {
        assert_eq!(parts.len(), self.count);
        parts.iter_mut().rev().for_each(|part| part.work());
        self.tasks.fetch_add(1, Relaxed);
    }
}

/// Packets of all UEs are delivered, or discarded, at the same instants and in the same order with
/// any number of workers, even more workers than cells. Here a slot has three tasks: arrivals,
/// schedulers, receivers. Packets are discarded in both directions, by the scheduler and at the
/// arrival of a grant, so that one task emits in several steps.
#[test]
fn parts_and_whole_give_equal_results() {
    let mut air = air(COUPLED, WALKING, Edge::Wrapped);
    air.uplink_coupled = true;
    let mut cell = preset::system_level(BANDWIDTH, Vec::new());
    for direction in [Direction::Down, Direction::Up] {
        cell.bearers[0].pdcp[direction].discard_timer = Some(ms(20));
    }
    let run = |workers: usize| {
        let mut network = network_of(&cell, &air, 63, 4);
        let tasks = Arc::new(AtomicU64::new(0));
        if workers > 1 {
            network.employ(Box::new(Backwards { count: workers, tasks: Arc::clone(&tasks) }));
        }
        let mut bench = Bench::new(network);
        bench.load(&(0..63).collect::<Vec<_>>(), Duration::from_micros(1300), ms(200));
        check_conservation(&bench.radio);
        let ues: Vec<_> = bench.radio.ues(Instant::ZERO + ms(200)).map(|ue| ue.counted).collect();
        let counted = format!("{:?} {ues:?}", bench.radio.statistics());
        let order = (bench.delivered, bench.dropped);
        ((order, bench.calls, counted), tasks.load(Relaxed))
    };
    let (alone, none) = run(1);
    let (delivered, dropped) = &alone.0;
    for direction in [Direction::Down, Direction::Up] {
        let count = dropped.iter().filter(|(_, way, ..)| *way == direction).count();
        assert!(count > 300, "{count} discarded {direction:?}");
    }
    assert!(delivered.len() > 2000 && none == 0, "{} packets, {none} tasks", delivered.len());
    for workers in [2, 3, 8, 40] {
        let (shared, tasks) = run(workers);
        assert!(tasks > 400, "{tasks} tasks");
        assert!(shared == alone, "{workers} workers");
    }
}
