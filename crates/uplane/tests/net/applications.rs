//! Behaviour of each application, rule by rule: scripted inputs in, effects out.

use std::sync::Arc;

use uplane::app::bulk::{self, Bulk};
use uplane::app::constant_rate::{self, ConstantRate};
use uplane::app::conversation::{Carrier, Conversation};
use uplane::app::ping::{self, Beat, PingSeries};
use uplane::app::replay::{Replay, Writes};
use uplane::app::transfer::{self, FileTransfer};
use uplane::app::web::{self, WebPage};
use uplane::app::{
    Application, Clock, Completion, Datagram, Effect, End, Fate, Input, Kind, Message, Ping,
    Report, Transfer,
};
use uplane::net::Direction;
use uplane::record::{Data, Field};
use uplane::sim::{Outbox, Wake};
use uplane::unit::{Bytes, Duration, Instant};

use End::{Client, Server};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn at(millis: u64) -> Instant {
    Instant::ZERO + ms(millis)
}

/// An application with a script in place of a network.
struct Script {
    application: Application,
    out: Outbox<Effect>,
    /// Time of the timer that the application has asked for.
    due: Option<Instant>,
}

impl Script {
    fn new(application: Application) -> Self {
        Self { application, out: Outbox::default(), due: None }
    }

    /// Gives an input at this time in milliseconds and returns all effects.
    fn give(&mut self, time: u64, input: Input) -> Vec<Effect> {
        self.application.on_input(at(time), input, &mut self.out);
        self.due = match self.out.take_wake() {
            Wake::At(due) => Some(due),
            Wake::Never => None,
            Wake::Unchanged => self.due,
        };
        self.out.drain().collect()
    }

    /// Gives inputs in turn and returns the effects of the last one.
    fn play(&mut self, inputs: &[(u64, Input)]) -> Vec<Effect> {
        inputs.iter().map(|&(time, input)| self.give(time, input)).last().unwrap_or_default()
    }

    fn finish(&mut self) -> Vec<Effect> {
        self.application.finish(&mut self.out);
        self.out.drain().collect()
    }
}

fn connected(connection: u32, end: End) -> Input {
    Input::Connected { connection, end }
}

fn received(connection: u32, end: End, bytes: u64) -> Input {
    Input::Received { connection, end, bytes: Bytes(bytes) }
}

fn acked(connection: u32, end: End, total: u64) -> Input {
    Input::Acked { connection, end, total: Bytes(total) }
}

fn first_sent(connection: u32, end: End) -> Input {
    Input::FirstSent { connection, end }
}

fn reset(connection: u32, end: End) -> Input {
    Input::Closed { connection, end }
}

fn open(connection: u32) -> Effect {
    Effect::Open { connection, handshake: true }
}

fn write(connection: u32, end: End, bytes: u64) -> Effect {
    Effect::Write { connection, end, bytes: Bytes(bytes) }
}

fn close(connection: u32, end: End) -> Effect {
    Effect::Close { connection, end }
}

fn transfers(effects: &[Effect]) -> Vec<Transfer> {
    let reports = effects.iter().filter_map(|effect| match effect {
        Effect::Report(Report::Transfer(transfer)) => Some(transfer.clone()),
        _ => None,
    });
    reports.collect()
}

fn the_transfer(effects: &[Effect]) -> Transfer {
    let mut all = transfers(effects);
    assert_eq!(all.len(), 1, "{effects:?}");
    all.remove(0)
}

fn download() -> transfer::Config {
    transfer::Config {
        direction: Direction::Down,
        request: Bytes(60),
        file: Bytes(100_000),
        clock: Clock::Open,
        completion: Completion::LastByte,
        handshake: true,
    }
}

fn transfer(config: transfer::Config) -> Script {
    Script::new(Application::Transfer(FileTransfer::new(config)))
}

/// A download with each event at its own time, up to the last acknowledgement.
const DOWNLOAD: [(u64, Input); 9] = [
    (10, Input::Start),
    (20, Input::Connected { connection: 0, end: Client }),
    (30, Input::Connected { connection: 0, end: Server }),
    (35, Input::FirstSent { connection: 0, end: Client }),
    (40, Input::Received { connection: 0, end: Server, bytes: Bytes(60) }),
    (45, Input::FirstSent { connection: 0, end: Server }),
    (50, Input::Received { connection: 0, end: Client, bytes: Bytes(40_000) }),
    (60, Input::Received { connection: 0, end: Client, bytes: Bytes(60_000) }),
    (70, Input::Acked { connection: 0, end: Server, total: Bytes(100_000) }),
];

#[test]
fn server_answers_only_whole_requests() {
    let mut script = transfer(download());
    assert_eq!(script.give(0, Input::Start), [open(0)]);
    assert_eq!(script.give(20, connected(0, Client)), [write(0, Client, 60)]);
    assert_eq!(script.give(30, connected(0, Server)), []);
    assert_eq!(script.give(40, received(0, Server, 59)), []);
    assert_eq!(script.give(41, received(0, Server, 1)), [write(0, Server, 100_000)]);
}

#[test]
fn server_without_request_starts_when_its_end_opens() {
    let mut script = transfer(transfer::Config { request: Bytes::ZERO, ..download() });
    script.give(0, Input::Start);
    assert_eq!(script.give(20, connected(0, Client)), []);
    assert_eq!(script.give(30, connected(0, Server)), [write(0, Server, 100_000)]);
}

#[test]
fn last_byte_completes_a_download_and_closes_it() {
    let mut script = transfer(download());
    let effects = script.play(&DOWNLOAD[..8]);
    let report = the_transfer(&effects);
    assert_eq!(effects[..2], [close(0, Client), close(0, Server)]);
    assert_eq!(effects.last(), Some(&Effect::Finished));
    assert_eq!(
        report,
        Transfer {
            kind: Kind::Download,
            number: 0,
            started: at(10),
            requested: Some(at(20)),
            first_sent: Some(at(45)),
            completed: Some(at(60)),
            first_byte: Some(at(50)),
            last_byte: Some(at(60)),
            bytes: Some(Bytes(100_000)),
            received: Bytes(100_000),
            last_received: Some(at(60)),
            duration: Some(ms(50)),
        }
    );
    assert_eq!(report.rate_kbps(), Some(16_000.0));
    assert_eq!(script.give(70, acked(0, Server, 100_000)), []);
    assert_eq!(script.finish(), []);
}

#[test]
fn the_last_acknowledgement_completes_a_download() {
    let completion = Completion::LastAck;
    let mut script = transfer(transfer::Config { completion, ..download() });
    assert_eq!(script.play(&DOWNLOAD[..8]), []);
    assert_eq!(script.give(65, acked(0, Server, 99_999)), []);
    assert_eq!(script.give(66, acked(0, Client, 100_000)), [], "the other direction");
    let report = the_transfer(&script.give(70, acked(0, Server, 100_000)));
    assert_eq!((report.last_byte, report.completed), (Some(at(60)), Some(at(70))));
    assert_eq!(report.duration, Some(ms(60)));
}

/// A slow reader reads the last bytes after their acknowledgement has left.
#[test]
fn last_acknowledgement_waits_for_a_slow_reader() {
    let completion = Completion::LastAck;
    let mut script = transfer(transfer::Config { completion, ..download() });
    assert_eq!(script.play(&DOWNLOAD[..7]), []);
    assert_eq!(script.give(55, acked(0, Server, 100_000)), [], "60 000 bytes are unread");
    assert_eq!(script.give(60, received(0, Client, 59_999)), []);
    let report = the_transfer(&script.give(80, received(0, Client, 1)));
    assert_eq!((report.received, report.last_byte), (Bytes(100_000), Some(at(80))));
    assert_eq!((report.completed, report.duration), (Some(at(80)), Some(ms(70))));
}

#[test]
fn unread_bytes_leave_a_transfer_incomplete() {
    let completion = Completion::LastAck;
    let mut script = transfer(transfer::Config { completion, ..download() });
    script.play(&DOWNLOAD[..7]);
    script.give(55, acked(0, Server, 100_000));
    let report = the_transfer(&script.finish());
    assert_eq!((report.completed, report.duration, report.last_byte), (None, None, None));
    assert_eq!(report.received, Bytes(40_000));
}

#[test]
fn clock_starts_at_opening_request_or_first_data() {
    let duration = |clock| {
        let mut script = transfer(transfer::Config { clock, ..download() });
        the_transfer(&script.play(&DOWNLOAD[..8])).duration
    };
    assert_eq!(duration(Clock::Open), Some(ms(50)));
    assert_eq!(duration(Clock::Request), Some(ms(40)));
    assert_eq!(duration(Clock::FirstData), Some(ms(15)));
}

#[test]
fn request_clock_without_request_starts_at_the_write() {
    let config = transfer::Config { request: Bytes::ZERO, clock: Clock::Request, ..download() };
    let mut script = transfer(config);
    script.play(&DOWNLOAD[..3]);
    let report = the_transfer(&script.give(60, received(0, Client, 100_000)));
    assert_eq!((report.requested, report.duration), (None, Some(ms(30))));
}

#[test]
fn an_open_connection_needs_no_handshake() {
    let mut script = transfer(transfer::Config { handshake: false, ..download() });
    let effects = script.give(5, Input::Start);
    assert_eq!(effects, [Effect::Open { connection: 0, handshake: false }]);
    assert_eq!(script.give(5, connected(0, Client)), [write(0, Client, 60)]);
}

#[test]
fn upload_follows_its_request_without_counting_it() {
    for completion in [Completion::LastByte, Completion::LastAck] {
        let direction = Direction::Up;
        let mut script = transfer(transfer::Config { direction, completion, ..download() });
        script.give(0, Input::Start);
        let written = script.give(20, connected(0, Client));
        assert_eq!(written, [write(0, Client, 60), write(0, Client, 100_000)]);
        script.play(&[(25, first_sent(0, Client)), (30, connected(0, Server))]);
        assert_eq!(script.give(50, received(0, Server, 1_060)), []);
        let last_byte = script.give(60, received(0, Server, 99_000));
        assert_eq!(script.give(65, acked(0, Client, 100_000)), [], "60 bytes are missing");
        let last_ack = script.give(70, acked(0, Client, 100_060));
        let report = match completion {
            Completion::LastByte => the_transfer(&last_byte),
            Completion::LastAck => the_transfer(&last_ack),
        };
        assert_eq!((report.kind, report.received), (Kind::Upload, Bytes(100_000)));
        assert_eq!((report.first_sent, report.first_byte), (Some(at(25)), Some(at(50))));
        assert_eq!(report.last_byte, Some(at(60)));
    }
}

#[test]
fn end_of_the_run_leaves_a_transfer_incomplete() {
    let mut script = transfer(download());
    script.play(&DOWNLOAD[..7]);
    let report = the_transfer(&script.finish());
    assert_eq!(report.received, Bytes(40_000));
    assert_eq!((report.completed, report.last_byte, report.duration), (None, None, None));
    assert_eq!(report.rate_kbps(), None);
    assert_eq!(script.finish(), [], "only once");
    assert_eq!(transfer(download()).finish(), [], "it never began");
}

#[test]
fn a_transfer_on_a_broken_connection_ends_incomplete() {
    let mut script = transfer(download());
    script.play(&DOWNLOAD[..7]);
    let effects = script.give(55, reset(0, Client));
    assert_eq!(the_transfer(&effects).completed, None);
    assert_eq!(effects.last(), Some(&Effect::Finished));
    assert_eq!(script.give(56, reset(0, Server)), []);
}

#[test]
fn a_report_becomes_a_row_with_units() {
    let report = the_transfer(&transfer(download()).play(&DOWNLOAD[..8]));
    let mut columns = Vec::new();
    Transfer::declare("", "", &mut columns);
    report.push(&mut columns.iter_mut());
    let value =
        |name: &str| match &columns.iter().find(|it| it.name == name).expect("a column").data {
            Data::F64(values) => values[0],
            Data::U64(values) => Some(values[0] as f64),
            Data::Text(values) => panic!("{name} is {values:?}"),
        };
    let seconds = ["started_s", "requested_s", "first_sent_s", "completed_s"].map(value);
    assert_eq!(seconds, [Some(0.01), Some(0.02), Some(0.045), Some(0.06)]);
    assert_eq!(["bytes", "received_bytes"].map(value), [Some(100_000.0); 2]);
    assert_eq!(["last_byte_s", "duration_s"].map(value), [Some(0.06), Some(0.05)]);
}

fn bulk(direction: Direction, stop: Option<Instant>) -> Script {
    let config =
        bulk::Config { direction, ahead: Bytes(1000), piece: Bytes(100), stop, handshake: true };
    Script::new(Application::Bulk(Bulk::new(config)))
}

#[test]
fn greedy_sender_stays_constantly_ahead_of_acknowledgements() {
    let mut script = bulk(Direction::Down, None);
    assert_eq!(script.give(0, Input::Start), [open(0)]);
    assert_eq!(script.give(10, connected(0, Client)), []);
    assert_eq!(script.give(20, connected(0, Server)), [write(0, Server, 1000)]);
    assert_eq!(script.give(30, acked(0, Server, 400)), [write(0, Server, 400)]);
    assert_eq!(script.give(30, acked(0, Server, 400)), []);
    assert_eq!(script.give(35, acked(0, Server, 499)), [], "it waits until a piece fits");
    assert_eq!(script.give(40, acked(0, Server, 1400)), [write(0, Server, 1000)]);
}

#[test]
fn a_greedy_upload_is_sent_by_the_client() {
    let mut script = bulk(Direction::Up, None);
    script.give(0, Input::Start);
    assert_eq!(script.give(10, connected(0, Client)), [write(0, Client, 1000)]);
    assert_eq!(script.give(20, connected(0, Server)), []);
}

/// 600 bytes from 100 ms to 400 ms are 16 kbit/s.
#[test]
fn endless_transfer_rate_spans_first_to_last_byte() {
    let mut script = bulk(Direction::Down, None);
    script.play(&[(0, Input::Start), (20, connected(0, Server)), (25, first_sent(0, Server))]);
    script.play(&[(100, received(0, Client, 200)), (400, received(0, Client, 400))]);
    let report = the_transfer(&script.finish());
    assert_eq!((report.kind, report.bytes, report.received), (Kind::Bulk, None, Bytes(600)));
    assert_eq!((report.first_sent, report.completed), (Some(at(25)), None));
    assert_eq!(report.rate_kbps(), Some(16.0));
}

#[test]
fn stopped_sender_delivers_its_writes_and_completes() {
    let mut script = bulk(Direction::Down, Some(at(50)));
    script.play(&[(0, Input::Start), (20, connected(0, Server))]);
    assert_eq!(script.due, Some(at(50)));
    script.give(40, received(0, Client, 300));
    assert_eq!(script.give(50, Input::Timer), [close(0, Server)]);
    assert_eq!(script.due, None);
    assert_eq!(script.give(60, acked(0, Server, 300)), [], "nothing is written any more");
    let effects = script.give(70, received(0, Client, 700));
    let report = the_transfer(&effects);
    assert_eq!((report.bytes, report.completed), (Some(Bytes(1000)), Some(at(70))));
    assert_eq!((report.last_byte, report.duration), (Some(at(70)), Some(ms(70))));
    assert_eq!((&effects[0], effects.last()), (&close(0, Client), Some(&Effect::Finished)));
    assert_eq!(script.finish(), []);
}

#[test]
fn sender_stopped_before_its_start_completes_empty() {
    let mut script = bulk(Direction::Up, Some(at(50)));
    script.give(0, Input::Start);
    let report = the_transfer(&script.give(50, Input::Timer));
    assert_eq!((report.bytes, report.completed), (Some(Bytes::ZERO), Some(at(50))));
    assert_eq!(script.give(60, connected(0, Client)), []);
}

#[test]
fn greedy_sender_on_broken_connection_reports_delivered_bytes() {
    let mut script = bulk(Direction::Down, None);
    script.play(&[(0, Input::Start), (20, connected(0, Server)), (40, received(0, Client, 300))]);
    let effects = script.give(50, reset(0, Server));
    assert_eq!(the_transfer(&effects).received, Bytes(300));
    assert_eq!(effects.last(), Some(&Effect::Finished));
}

/// Three objects of 1000, 2000 and 3000 bytes.
fn page() -> web::Config {
    web::Config {
        objects: [1000, 2000, 3000].map(Bytes).to_vec(),
        request: Bytes(300),
        connections: 1,
        persistent: false,
        clock: Clock::Open,
        completion: Completion::LastByte,
        per_object: Duration::ZERO,
        handshake: true,
    }
}

fn web(config: web::Config) -> Script {
    Script::new(Application::Web(WebPage::new(config)))
}

/// Opens the connection at `time`, sends the request a millisecond later and gets the answer in
/// another four.
fn fetch(script: &mut Script, connection: u32, time: u64, bytes: u64) -> Vec<Effect> {
    script.play(&[
        (time + 1, connected(connection, Client)),
        (time + 1, connected(connection, Server)),
        (time + 2, received(connection, Server, 300)),
        (time + 3, first_sent(connection, Server)),
        (time + 5, received(connection, Client, bytes)),
    ])
}

#[test]
fn each_object_in_turn_uses_a_new_connection() {
    let mut script = web(page());
    assert_eq!(script.give(0, Input::Start), [open(0)]);
    assert_eq!(script.give(1, connected(0, Client)), [write(0, Client, 300)]);
    assert_eq!(script.give(2, received(0, Server, 300)), [write(0, Server, 1000)]);
    let effects = script.give(5, received(0, Client, 1000));
    let first = the_transfer(&effects);
    assert_eq!((first.kind, first.number, first.duration), (Kind::Object, 0, Some(ms(5))));
    assert_eq!(effects[1..], [close(0, Client), close(0, Server), open(1)]);
    let effects = fetch(&mut script, 1, 5, 2000);
    assert_eq!((the_transfer(&effects).number, effects.last()), (1, Some(&open(2))));
    let effects = fetch(&mut script, 2, 10, 3000);
    let [last, page] = &transfers(&effects)[..] else { panic!("{effects:?}") };
    assert_eq!((last.number, last.bytes), (2, Some(Bytes(3000))));
    assert_eq!(
        *page,
        Transfer {
            kind: Kind::Page,
            number: 0,
            started: at(0),
            requested: Some(at(1)),
            first_sent: Some(at(8)),
            completed: Some(at(15)),
            first_byte: Some(at(5)),
            last_byte: Some(at(15)),
            bytes: Some(Bytes(6000)),
            received: Bytes(6000),
            last_received: Some(at(15)),
            duration: Some(ms(15)),
        }
    );
    assert_eq!(effects.last(), Some(&Effect::Finished));
    assert_eq!(script.finish(), []);
}

#[test]
fn object_may_wait_for_acknowledgement_of_its_predecessor() {
    let mut script = web(web::Config { completion: Completion::LastAck, ..page() });
    script.give(0, Input::Start);
    assert_eq!(fetch(&mut script, 0, 0, 1000), []);
    assert_eq!(script.give(8, acked(0, Server, 999)), []);
    let effects = script.give(9, acked(0, Server, 1000));
    let object = the_transfer(&effects);
    assert_eq!((object.last_byte, object.completed), (Some(at(5)), Some(at(9))));
    assert_eq!(effects.last(), Some(&open(1)));
}

#[test]
fn persistent_connection_gets_the_next_request_immediately() {
    let mut script = web(web::Config { persistent: true, ..page() });
    script.give(0, Input::Start);
    let effects = fetch(&mut script, 0, 0, 1000);
    assert_eq!(effects[1..], [write(0, Client, 300)]);
    assert_eq!(script.give(6, received(0, Server, 300)), [write(0, Server, 2000)]);
    script.give(7, first_sent(0, Server));
    let effects = script.give(8, received(0, Client, 2000));
    let second = the_transfer(&effects);
    assert_eq!((second.started, second.requested), (at(5), Some(at(5))));
    assert_eq!((second.first_sent, second.duration), (Some(at(7)), Some(ms(3))));
    script.give(9, received(0, Server, 300));
    let effects = script.give(10, received(0, Client, 3000));
    assert_eq!(transfers(&effects).len(), 2, "object and page");
    assert!(effects.contains(&close(0, Client)) && effects.contains(&close(0, Server)));
}

/// Acknowledged totals count from the opening: 1000 of the first object and 2000 of the second.
#[test]
fn acknowledgements_of_persistent_connections_count_from_opening() {
    let config = web::Config { persistent: true, completion: Completion::LastAck, ..page() };
    let mut script = web(config);
    script.give(0, Input::Start);
    fetch(&mut script, 0, 0, 1000);
    script.give(9, acked(0, Server, 1000));
    script.play(&[(10, received(0, Server, 300)), (12, received(0, Client, 2000))]);
    assert_eq!(script.give(13, acked(0, Server, 2999)), []);
    assert_eq!(the_transfer(&script.give(14, acked(0, Server, 3000))).number, 1);
}

#[test]
fn connections_fetch_objects_as_they_become_free() {
    let mut script = web(web::Config { connections: 2, ..page() });
    assert_eq!(script.give(0, Input::Start), [open(0), open(1)]);
    // The second connection is free first and fetches the third object.
    let effects = fetch(&mut script, 1, 0, 2000);
    assert_eq!((the_transfer(&effects).number, effects.last()), (1, Some(&open(2))));
    let effects = fetch(&mut script, 2, 5, 3000);
    assert_eq!(the_transfer(&effects).number, 2);
    assert!(!effects.contains(&Effect::Finished), "object 0 is missing");
    let effects = fetch(&mut script, 0, 20, 1000);
    let [object, page] = &transfers(&effects)[..] else { panic!("{effects:?}") };
    assert_eq!((object.number, page.completed), (0, Some(at(25))));
}

#[test]
fn more_connections_than_objects_stay_unused() {
    let mut script = web(web::Config { connections: 6, ..page() });
    assert_eq!(script.give(0, Input::Start), [open(0), open(1), open(2)]);
}

#[test]
fn pause_precedes_each_object_and_is_not_counted() {
    let mut script = web(web::Config { per_object: ms(50), ..page() });
    assert_eq!(script.give(0, Input::Start), []);
    assert_eq!(script.due, Some(at(50)));
    assert_eq!(script.give(50, Input::Timer), [open(0)]);
    assert_eq!(script.due, None);
    let effects = fetch(&mut script, 0, 50, 1000);
    assert_eq!(the_transfer(&effects).duration, Some(ms(5)));
    assert!(!effects.contains(&open(1)));
    assert_eq!(script.due, Some(at(105)));
    assert_eq!(script.give(105, Input::Timer), [open(1)]);
    fetch(&mut script, 1, 105, 2000);
    script.give(160, Input::Timer);
    let effects = fetch(&mut script, 2, 160, 3000);
    assert_eq!(transfers(&effects)[1].duration, Some(ms(165)), "the page has all pauses");
}

#[test]
fn without_a_request_the_server_pushes_each_object() {
    let mut script = web(web::Config { request: Bytes::ZERO, persistent: true, ..page() });
    script.give(0, Input::Start);
    assert_eq!(script.give(1, connected(0, Client)), []);
    assert_eq!(script.give(2, connected(0, Server)), [write(0, Server, 1000)]);
    let effects = script.give(5, received(0, Client, 1000));
    assert_eq!(effects[1..], [write(0, Server, 2000)]);
}

#[test]
fn lost_object_makes_only_the_page_incomplete() {
    let mut script = web(web::Config { persistent: true, ..page() });
    script.give(0, Input::Start);
    let effects = script.give(3, reset(0, Client));
    assert_eq!(the_transfer(&effects).completed, None);
    assert_eq!(effects.last(), Some(&open(1)));
    assert_eq!(script.give(3, reset(0, Server)), []);
    fetch(&mut script, 1, 3, 2000);
    script.give(9, received(1, Server, 300));
    let effects = script.give(10, received(1, Client, 3000));
    let [object, page] = &transfers(&effects)[..] else { panic!("{effects:?}") };
    assert_eq!(object.completed, Some(at(10)));
    assert_eq!((page.completed, page.received), (None, Bytes(5000)));
    assert_eq!(effects.last(), Some(&Effect::Finished));
}

/// The pause of a persistent connection outlives the connection: the next object gets a new one.
#[test]
fn connection_lost_between_objects_costs_no_object() {
    let mut script = web(web::Config { persistent: true, per_object: ms(50), ..page() });
    script.play(&[(0, Input::Start), (50, Input::Timer)]);
    fetch(&mut script, 0, 50, 1000);
    assert_eq!(script.give(70, reset(0, Client)), []);
    assert_eq!(script.give(105, Input::Timer), [open(1)]);
}

#[test]
fn page_cut_by_the_end_reports_open_objects() {
    let mut script = web(page());
    script.give(0, Input::Start);
    fetch(&mut script, 0, 0, 1000);
    script.play(&[(7, connected(1, Client)), (8, received(1, Server, 300))]);
    script.give(9, received(1, Client, 500));
    let effects = script.finish();
    let [object, page] = &transfers(&effects)[..] else { panic!("{effects:?}") };
    assert_eq!((object.number, object.received, object.completed), (1, Bytes(500), None));
    assert_eq!((page.kind, page.received, page.completed), (Kind::Page, Bytes(1500), None));
}

fn beat(interval: u64, count: Option<u64>, stop: Option<Instant>) -> Beat {
    Beat { interval: ms(interval), count, stop }
}

fn ping(beat: Beat) -> Script {
    let config = ping::Config { length: Bytes(64), beat };
    Script::new(Application::Ping(PingSeries::new(config)))
}

fn echo(number: u64, asked: u64) -> Input {
    Input::Echo { number, asked: at(asked) }
}

fn send_echo(number: u64) -> Effect {
    Effect::SendEcho { number, length: Bytes(64) }
}

fn ping_report(number: u64, sent: u64, rtt: Option<u64>) -> Effect {
    let (rtt, fate) = (rtt.map(ms), fate(rtt));
    Effect::Report(Report::Ping(Ping { number, sent: at(sent), rtt, fate }))
}

/// Fate of a packet as an application knows it: arrived, or open.
fn fate(time: Option<u64>) -> Fate {
    if time.is_some() { Fate::Came } else { Fate::Open }
}

#[test]
fn pings_keep_their_beat_whatever_is_answered() {
    let mut script = ping(beat(2002, Some(3), None));
    assert_eq!(script.give(100, Input::Start), [send_echo(0)]);
    assert_eq!(script.due, Some(at(2102)));
    assert_eq!(script.give(2102, Input::Timer), [send_echo(1)]);
    assert_eq!(script.due, Some(at(4104)));
    assert_eq!(script.give(4104, Input::Timer), [send_echo(2)]);
    assert_eq!(script.due, None);
}

#[test]
fn each_reply_counts_once_and_the_last_ends() {
    let mut script = ping(beat(100, Some(2), None));
    script.play(&[(0, Input::Start), (100, Input::Timer)]);
    assert_eq!(script.give(190, echo(1, 100)), [ping_report(1, 100, Some(90))]);
    assert_eq!(script.give(191, echo(1, 100)), []);
    let effects = script.give(230, echo(0, 0));
    assert_eq!(effects, [ping_report(0, 0, Some(230)), Effect::Finished]);
    assert_eq!(script.finish(), []);
}

#[test]
fn unanswered_pings_are_reported_at_the_end() {
    let mut script = ping(beat(100, None, Some(at(300))));
    script.play(&[(0, Input::Start), (100, Input::Timer), (150, echo(0, 0)), (200, Input::Timer)]);
    assert_eq!(script.due, None, "none at the stop itself");
    assert_eq!(script.finish(), [ping_report(1, 100, None), ping_report(2, 200, None)]);
    assert_eq!(script.finish(), []);
}

fn voice(direction: Direction, beat: Beat) -> Script {
    let config = constant_rate::Config { direction, payload: Bytes(172), beat };
    Script::new(Application::ConstantRate(ConstantRate::new(config)))
}

#[test]
fn stream_sends_on_the_beat_from_its_end() {
    for (direction, end) in [(Direction::Down, Server), (Direction::Up, Client)] {
        let mut script = voice(direction, beat(20, Some(2), None));
        let datagram = |number| Effect::SendDatagram { end, number, payload: Bytes(172) };
        assert_eq!(script.give(2000, Input::Start), [datagram(0)]);
        assert_eq!(script.due, Some(at(2020)));
        assert_eq!(script.give(2020, Input::Timer), [datagram(1)]);
        assert_eq!(script.due, None);
    }
}

#[test]
fn missing_datagrams_are_reported_at_the_end() {
    let mut script = voice(Direction::Down, beat(20, Some(3), None));
    script.play(&[(0, Input::Start), (20, Input::Timer), (40, Input::Timer)]);
    let arrival = |number, sent| Input::Datagram { end: Client, number, sent: at(sent) };
    let report = |number, sent, latency: Option<u64>| {
        let (latency, fate) = (latency.map(ms), fate(latency));
        Effect::Report(Report::Datagram(Datagram { number, sent: at(sent), latency, fate }))
    };
    assert_eq!(script.give(50, arrival(2, 40)), [report(2, 40, Some(10))]);
    assert_eq!(script.give(51, arrival(0, 0)), [report(0, 0, Some(51))]);
    assert_eq!(script.finish(), [report(1, 20, None)]);
}

#[test]
fn a_stream_ends_with_its_last_arrival() {
    let mut script = voice(Direction::Up, beat(20, Some(1), None));
    script.give(0, Input::Start);
    let effects = script.give(9, Input::Datagram { end: Server, number: 0, sent: at(0) });
    assert_eq!(effects.last(), Some(&Effect::Finished));
    assert_eq!(script.finish(), []);
}

fn replay(carrier: Carrier, rows: &str) -> Script {
    let writes = Writes::parse(&format!("time,direction,bytes\n{rows}")).expect("a file");
    let replay = Replay::new(&writes);
    let maker = Arc::new(move |_| Box::new(replay.clone()) as Box<_>);
    Script::new(Application::Conversation(Conversation::new(carrier, Bytes(1_000_000), maker)))
}

/// Number and time of delivery in milliseconds.
fn messages(effects: &[Effect]) -> Vec<(u64, Option<u64>)> {
    let reports = effects.iter().filter_map(|effect| match effect {
        Effect::Report(Report::Message(Message { number, delivered, .. })) => {
            Some((*number, delivered.map(|it| (it - Instant::ZERO).as_nanos() / 1_000_000)))
        }
        _ => None,
    });
    reports.collect()
}

const CONNECTION: Carrier = Carrier::Connection { handshake: true };

/// Messages that waited for the connection are written together, and separated by the reader.
#[test]
fn a_message_is_delivered_with_its_last_byte() {
    let mut script = replay(CONNECTION, "0,up,300\n0,up,200\n0.06,down,10\n1,up,5\n");
    assert_eq!(script.give(0, Input::Start), [open(0)]);
    assert_eq!(script.due, Some(at(60)));
    assert_eq!(script.give(20, connected(0, Client)), [write(0, Client, 500)]);
    assert_eq!(script.give(30, connected(0, Server)), []);
    assert_eq!(messages(&script.give(40, received(0, Server, 299))), []);
    assert_eq!(messages(&script.give(50, received(0, Server, 200))), [(0, Some(50))]);
    assert_eq!(script.give(60, Input::Timer), [write(0, Server, 10)]);
    assert_eq!(script.due, Some(at(1000)));
    assert_eq!(messages(&script.give(70, received(0, Server, 1))), [(1, Some(70))]);
    assert_eq!(messages(&script.give(80, received(0, Client, 10))), [(2, Some(80))]);
}

#[test]
fn conversation_closes_both_ends_after_the_last_delivery() {
    let mut script = replay(CONNECTION, "0,up,300\n0,down,5\n");
    script.play(&[(0, Input::Start), (20, connected(0, Client)), (30, connected(0, Server))]);
    assert_eq!(script.give(40, received(0, Server, 300)).len(), 1);
    let effects = script.give(50, received(0, Client, 5));
    assert_eq!(effects[1..], [close(0, Client), close(0, Server), Effect::Finished]);
    assert_eq!(script.finish(), []);
}

#[test]
fn closed_connection_leaves_its_messages_undelivered() {
    let mut script = replay(CONNECTION, "0,down,300\n0,up,200\n0,down,7\n1,up,5\n");
    script.play(&[(0, Input::Start), (20, connected(0, Client)), (30, connected(0, Server))]);
    script.give(40, received(0, Client, 300));
    let effects = script.give(50, reset(0, Client));
    assert_eq!(messages(&effects), [(1, None), (2, None)]);
    assert_eq!(effects.last(), Some(&Effect::Finished));
    assert_eq!(script.due, None);
}

/// In any order of datagrams, also with duplicates.
#[test]
fn message_in_several_datagrams_needs_each() {
    let carrier = Carrier::Datagrams { payload: Bytes(100) };
    let mut script = replay(carrier, "0,down,250\n0,up,100\n");
    let datagram = |number| Input::Datagram { end: Client, number, sent: at(0) };
    let sent = |end, number, payload| Effect::SendDatagram { end, number, payload: Bytes(payload) };
    let all = [(Server, 0, 100), (Server, 1, 100), (Server, 2, 50), (Client, 3, 100)];
    let all = all.map(|(end, number, payload)| sent(end, number, payload));
    assert_eq!(script.give(0, Input::Start), all);
    assert_eq!(messages(&script.give(10, datagram(2))), []);
    assert_eq!(messages(&script.give(11, datagram(3))), [(1, Some(11))]);
    for (time, number) in [(12, 2), (13, 0), (14, 0)] {
        assert_eq!(messages(&script.give(time, datagram(number))), [], "at {time}");
    }
    let effects = script.give(15, datagram(1));
    assert_eq!(
        (messages(&effects), effects.last()),
        (vec![(0, Some(15))], Some(&Effect::Finished))
    );
}
