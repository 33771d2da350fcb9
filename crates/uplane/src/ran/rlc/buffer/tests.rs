use super::*;
use crate::net::queue::step;
use crate::net::queue::testing::{Arrival, PLAIN, packet};
use crate::sim::Streams;
use crate::unit::Duration;

/// Creates a buffer whose queue marks packets that have waited for more than 1 ms.
fn managed() -> TransmissionBuffer {
    let mut buffer = TransmissionBuffer::new(None);
    buffer.manage(Aqm::Step(step::Config::default()), Streams::new(1).open("test", "aqm"));
    buffer
}

/// Creates an SDU of 1000 bytes with this type of service.
fn sdu(number: usize, tos: u8) -> Sdu {
    let packet = packet(number, Arrival { tos, ..PLAIN });
    Sdu { packet, size: Bytes(1000), arrived: Instant::ZERO, count: 0 }
}

/// The byte and packet counts of a buffer do not depend on queue management.
#[test]
fn bytes_count_until_they_are_sent() {
    for mut buffer in [TransmissionBuffer::new(None), managed()] {
        let mut flight = Flight::default();
        for number in 0..2 {
            buffer.enqueue(sdu(number, 0)).expect("no limit");
        }
        assert_eq!((buffer.bytes(), buffer.whole()), (Bytes(2000), 2));
        assert_eq!(buffer.take(300, &mut flight), 300);
        assert_eq!((buffer.bytes(), buffer.rest(), buffer.whole()), (Bytes(1700), Bytes(700), 1));
        assert_eq!(buffer.take(9000, &mut flight), 700, "an SDU at a time");
        assert_eq!((buffer.bytes(), buffer.whole()), (Bytes(1000), 1));
        assert_eq!(buffer.take(9000, &mut flight), 1000);
        assert!(buffer.is_empty());
    }
}

/// The queue decides when an SDU is begun, here 2 ms after its arrival. It reports each mark once.
#[test]
fn marks_of_a_managed_queue_are_reported() {
    let (mut buffer, mut flight) = (managed(), Flight::default());
    let ect1 = 1;
    buffer.enqueue(sdu(0, ect1)).expect("no limit");
    buffer.turn(Instant::ZERO + Duration::from_millis(2));
    assert_eq!(buffer.take_marked(), Count::default());
    buffer.take(1000, &mut flight);
    assert_eq!(buffer.take_marked(), Count { packets: 1, bytes: Bytes(1000) });
    assert_eq!(buffer.take_marked(), Count::default());
}
