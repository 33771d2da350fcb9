//! Scripts of RLC: letters in, PDUs out, PDUs in, letters out.
//!
//! ```text
//! # What the script shows, with its clause.
//! bearer um sn=10 reordering=35
//!
//! t=0    sdu ABCDEFGHIJ          an SDU of ten bytes waits
//! t=1    grant 8    -> #1 SN=0 [ABCDEF~] 8 B
//! t=1    grant 8    -> #2 SN=1 [~GHIJ] 6 B
//! t=5    air #1     -> nothing
//! t=5    air #2     -> ABCDEFGHIJ
//! ```
//!
//! (Without the remark in the third line.) Times are in milliseconds. PDUs are numbered `#1`, `#2`,
//! … as they are built. In a PDU `|` stands between SDUs, and `~` where an SDU continues in another
//! PDU; `P` is the poll, `SO=` and `LSF` are the fields of an AMD PDU segment, and the last figure
//! is the length with the header. `A*100` is a hundred letters A.
//!
//! | command | effect |
//! |---|---|
//! | `sdu LETTERS` | an SDU arrives; `-> refused` when the buffer is full |
//! | `remove N` | the SDU at index N, from 0, is removed from the queue |
//! | `grant N` | a PDU of at most N bytes is built: `-> PDU` or `-> nothing` |
//! | `report N` | a grant of N bytes in the other direction, which carries the STATUS PDUs |
//! | `air #N` | the PDU reaches the other end: `->` the letters delivered and dropped there |
//! | `lose #N` | HARQ abandons the PDU |
//! | `timer` | the timer that is due at exactly this time expires |
//! | `idle` | `->` time of the next timer, or `never` |
//! | `buffer` | `->` bytes that wait, by kind, and the demand |
//! | `cycle N` | N times: an SDU of one letter, a PDU, its arrival, and a STATUS PDU if it is due |
//! | `burst N` | N SDUs of one letter arrive, then N PDUs with one each are built |
//! | `reestablish` | both ends re-establish |

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use uplane::net::{Body, Datagram, Direction, DropCause, Packet, PerDirection};
use uplane::ran::pdcp::{Numbering, Reordering};
use uplane::ran::rlc::am::LengthIndicator;
use uplane::ran::rlc::{Bearer, Config, DataPdu, Effect, Passage, Pdu, Sdu, StatusPdu, am, nr, um};
use uplane::sim::Outbox;
use uplane::unit::{Bytes, Duration, Instant, PacketId};

#[test]
fn every_script_holds() {
    let mut failures = Vec::new();
    let scripts = scripts();
    for script in &scripts {
        if let Err(failure) = run(script) {
            failures.push(failure);
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(scripts.len() >= 70, "only {} scripts found", scripts.len());
}

/// A script that is wrong must fail, or the test above proves nothing.
#[test]
fn a_wrong_expectation_fails() {
    let mut wrong = Script::new();
    wrong.line("bearer um sn=10 reordering=35").expect("a bearer");
    wrong.line("t=0 sdu ABC").expect("an SDU");
    let failure = wrong.line("t=1 grant 9 -> #1 SN=0 [ABC] 6 B").expect_err("it is 5 B");
    assert!(failure.contains("#1 SN=0 [ABC] 5 B"), "{failure}");
}

fn scripts() -> Vec<PathBuf> {
    let folders = ["tests/radio/rlc_scripts/lte", "tests/radio/rlc_scripts/nr"];
    let folders = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries = folders.map(|folder| std::fs::read_dir(folder).expect("a folder of scripts"));
    let entries = entries.into_iter().flatten();
    let mut scripts: Vec<_> = entries.map(|entry| entry.expect("a script").path()).collect();
    scripts.sort();
    scripts
}

fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("a readable script");
    let mut script = Script::new();
    for (number, line) in text.lines().enumerate() {
        script.line(line).map_err(|failure| {
            let name = path.file_name().expect("a file").to_string_lossy();
            format!("{name}:{}: {line}\n    {failure}", number + 1)
        })?;
    }
    script.conservation()
}

struct Script {
    bearer: Option<Bearer>,
    now: Instant,
    /// The letters of each SDU, by packet id.
    letters: Vec<String>,
    /// Packets of which no byte was sent.
    waiting: VecDeque<usize>,
    /// Packets begun: position of each in the stream, and its id.
    begun: Vec<(u64, usize)>,
    begun_end: u64,
    /// Packets delivered or dropped.
    gone: Vec<usize>,
    pdus: Vec<(Direction, Pdu)>,
    /// Whole SDUs have no number.
    unnumbered: bool,
}

impl Script {
    fn new() -> Self {
        Self {
            bearer: None,
            now: Instant::ZERO,
            letters: Vec::new(),
            waiting: VecDeque::new(),
            begun: Vec::new(),
            begun_end: 0,
            gone: Vec::new(),
            pdus: Vec::new(),
            unnumbered: false,
        }
    }

    /// Runs one line and compares the result with it.
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if let Some(description) = line.strip_prefix("bearer ") {
            self.bearer = Some(bearer(description)?);
            self.unnumbered = description.starts_with("nr-um");
            return Ok(());
        }
        let (command, expected) = match line.split_once("->") {
            Some((command, expected)) => (command, Some(words(expected))),
            None => (line, None),
        };
        let mut command = command.split_whitespace();
        let time = command.next().and_then(|word| word.strip_prefix("t=")).ok_or("no time")?;
        self.now = millis(time)?;
        let verb = command.next().ok_or("no command")?;
        let overdue = self.bearer().next_timer().filter(|&due| due < self.now);
        if let Some(due) = overdue {
            return Err(format!("a timer was due at {due}"));
        }
        let found = self.command(verb, command.next().unwrap_or_default())?;
        let agrees = expected.as_ref().map_or(found.is_empty(), |expected| *expected == found);
        if agrees { Ok(()) } else { Err(format!("found: {found}")) }
    }

    fn command(&mut self, verb: &str, argument: &str) -> Result<String, String> {
        match verb {
            "sdu" => Ok(self.sdu(&expand(argument)?)),
            "remove" => self.remove(parse(argument)?),
            "grant" => self.grant(Direction::Down, argument),
            "report" => self.grant(Direction::Up, argument),
            "air" => self.cross(argument, Bearer::on_pdu),
            "lose" => self.cross(argument, Bearer::on_lost),
            "timer" => self.timer(),
            "idle" => Ok(self.bearer().next_timer().map_or("never".to_owned(), |due| {
                format!("{}", Duration::from_nanos(due.as_nanos()).as_millis_f64())
            })),
            "buffer" => Ok(self.buffer()),
            "cycle" => self.cycle(parse(argument)?),
            "burst" => self.burst(parse(argument)?),
            "reestablish" => Ok(self.reestablish()),
            other => Err(format!("no such command: {other}")),
        }
    }

    fn sdu(&mut self, letters: &str) -> String {
        let id = self.letters.len();
        self.letters.push(letters.to_owned());
        let packet = packet(id, letters.len(), self.now);
        let sdu = Sdu { packet, size: Bytes(letters.len() as u64), arrived: self.now, count: 0 };
        if self.bearer().enqueue(Direction::Down, sdu).is_err() {
            return "refused".to_owned();
        }
        self.waiting.push_back(id);
        String::new()
    }

    fn remove(&mut self, place: usize) -> Result<String, String> {
        let id = self.waiting.remove(place).ok_or("no such place")?;
        self.bearer().remove_at(Direction::Down, place, DropCause::Filtered);
        self.gone.push(id);
        Ok(String::new())
    }

    fn grant(&mut self, direction: Direction, bytes: &str) -> Result<String, String> {
        let (now, grant) = (self.now, Bytes(parse(bytes)?));
        let Some(pdu) = self.bearer().build(now, direction, grant) else {
            return Ok("nothing".to_owned());
        };
        assert!(pdu.size() <= grant, "{pdu:?} for a grant of {grant}");
        if let Pdu::Data(data) = &pdu {
            while self.begun_end < data.data.to {
                let id = self.waiting.pop_front().expect("an SDU that waits");
                self.begun.push((self.begun_end, id));
                self.begun_end += self.letters[id].len() as u64;
            }
        }
        let text = match &pdu {
            Pdu::Data(data) => self.show_data(data),
            Pdu::Status(status) => show_status(status),
        };
        self.pdus.push((direction, pdu));
        Ok(format!("#{} {text}", self.pdus.len()))
    }

    fn cross(
        &mut self,
        number: &str,
        how: impl Fn(&mut Bearer, Instant, Direction, &Pdu, Passage, &mut Outbox<Effect>),
    ) -> Result<String, String> {
        let number: usize = parse(number.trim_start_matches('#'))?;
        let (direction, pdu) = self.pdus.get(number - 1).ok_or("no such PDU")?.clone();
        let (now, mut out) = (self.now, Outbox::default());
        let passage = Passage { transmitted: now, decoded: now, preempted: false };
        how(self.bearer(), now, direction, &pdu, passage, &mut out);
        Ok(self.show_effects(&mut out))
    }

    fn timer(&mut self) -> Result<String, String> {
        let now = self.now;
        if self.bearer().next_timer() != Some(now) {
            return Err(format!("the next timer is due at {:?}", self.bearer().next_timer()));
        }
        let mut out = Outbox::default();
        self.bearer().on_timer(now, &mut out);
        Ok(self.show_effects(&mut out))
    }

    fn buffer(&mut self) -> String {
        let now = self.now;
        let down = self.bearer().buffer_status(now, Direction::Down);
        let status = self.bearer().buffer_status(now, Direction::Up).status;
        let mut text = format!("new {}", down.new.0);
        let _ = write!(text, " again {} status {}", down.retransmission.0, status.0);
        let _ = write!(text, " demand {}", down.demand().0);
        text + if down.stalled { " stalled" } else { "" }
    }

    fn cycle(&mut self, times: u32) -> Result<String, String> {
        for _ in 0..times {
            self.sdu("x");
            self.grant(Direction::Down, "100")?;
            let delivered = self.cross(&format!("#{}", self.pdus.len()), Bearer::on_pdu)?;
            if delivered != "x" {
                return Err(format!("the cycle delivered {delivered}"));
            }
            if self.grant(Direction::Up, "100")? != "nothing" {
                self.cross(&format!("#{}", self.pdus.len()), Bearer::on_pdu)?;
            }
        }
        Ok(String::new())
    }

    fn burst(&mut self, times: u32) -> Result<String, String> {
        for _ in 0..times {
            self.sdu("x");
        }
        for _ in 0..times {
            self.grant(Direction::Down, "3")?;
        }
        Ok(String::new())
    }

    fn reestablish(&mut self) -> String {
        let (now, mut out) = (self.now, Outbox::default());
        self.bearer().reestablish(now, &mut out);
        let text = self.show_effects(&mut out);
        for &(_, id) in self.begun.iter().rev() {
            if !self.gone.contains(&id) {
                self.waiting.push_front(id);
            }
        }
        self.begun.clear();
        text
    }

    fn conservation(&mut self) -> Result<(), String> {
        let (tally, held) =
            (*self.bearer().tally(Direction::Down), self.bearer().held(Direction::Down));
        if tally.held() == held { Ok(()) } else { Err(format!("{tally:?} but {held:?} inside")) }
    }

    fn show_data(&self, pdu: &DataPdu) -> String {
        // NR's unacknowledged mode numbers only segments.
        let mut text = if pdu.header == Bytes(1) && pdu.segment.is_none() && self.unnumbered {
            String::new()
        } else {
            format!("SN={}", pdu.sn.value())
        };
        if pdu.poll {
            text += " P";
        }
        if let Some(segment) = pdu.segment {
            let _ = write!(text, " SO={}", segment.so);
            text += if segment.lsf { " LSF" } else { "" };
        }
        let mut elements = Vec::new();
        for &(begins, id) in &self.begun {
            let letters = &self.letters[id];
            let ends = begins + letters.len() as u64;
            let (from, to) = (begins.max(pdu.data.from), ends.min(pdu.data.to));
            if from < to {
                let before = if from > begins { "~" } else { "" };
                let after = if to < ends { "~" } else { "" };
                let inside = &letters[(from - begins) as usize..(to - begins) as usize];
                elements.push(format!("{before}{}{after}", shorten(inside)));
            }
        }
        let _ = write!(text, " [{}] {}", elements.join("|"), pdu.size());
        text.trim_start().to_owned()
    }

    fn show_effects(&mut self, out: &mut Outbox<Effect>) -> String {
        let mut texts = Vec::new();
        for effect in out.drain() {
            texts.push(match effect {
                Effect::Deliver(_, packet) => self.leaves(&packet),
                Effect::Drop(_, packet, DropCause::Loss) => format!("-{}", self.leaves(&packet)),
                Effect::Drop(_, packet, DropCause::Incomplete) => {
                    format!("~{}", self.leaves(&packet))
                }
                Effect::Drop(_, _, cause) => format!("{cause:?}"),
                Effect::RadioLinkFailure(_) => "radio-link-failure".to_owned(),
            });
        }
        if texts.is_empty() { "nothing".to_owned() } else { texts.join(" ") }
    }

    fn leaves(&mut self, packet: &Packet) -> String {
        let id = packet.id.0 as usize;
        assert!(!self.gone.contains(&id), "packet {id} leaves twice");
        self.gone.push(id);
        shorten(&self.letters[id])
    }

    fn bearer(&mut self) -> &mut Bearer {
        self.bearer.as_mut().expect("a bearer")
    }
}

fn show_status(pdu: &StatusPdu) -> String {
    let mut text = format!("ACK={}", pdu.ack_sn.value());
    for nack in &pdu.nacks {
        let _ = write!(text, " NACK={}", nack.sn.value());
        if let Some(portion) = nack.portion {
            let end = portion.so_end.map_or("end".to_owned(), |end| end.to_string());
            let _ = write!(text, ":{}-{end}", portion.so_start);
        }
    }
    let _ = write!(text, " {}", pdu.size);
    text
}

/// `um sn=10 reordering=35 buffer=100` or `am poll-pdu=4 …`; `nr-um …` and `nr-am …` with `pdcp=50`
/// for `t-Reordering`, `pdcp-late=50` if packets are numbered when they are begun. Every key is
/// optional.
fn bearer(description: &str) -> Result<Bearer, String> {
    let mut words = description.split_whitespace();
    let mode = words.next().ok_or("no mode")?;
    let (mut um, mut am) = (um::Config::default(), am::Config::default());
    let (mut nr_um, mut nr_am) = (nr::um::Config::default(), nr::am::Config::default());
    let mut reordering = None;
    for word in words {
        let (key, value) = word.split_once('=').ok_or("no value")?;
        match (mode, key) {
            ("um", "sn") if value == "5" => um.sn_length = um::SnLength::Five,
            ("um", "reordering") => um.t_reordering = Duration::from_millis(parse(value)?),
            ("um", "buffer") => um.buffer = Some(Bytes(parse(value)?)),
            ("am", "sn") if value == "16" => am.sn_length = am::SnLength::Sixteen,
            ("am", "li") if value == "15" => am.li_length = LengthIndicator::Fifteen,
            ("am", "reordering") => am.t_reordering = Duration::from_millis(parse(value)?),
            ("am", "prohibit") => am.t_status_prohibit = Duration::from_millis(parse(value)?),
            ("am", "poll-pdu") => am.poll_pdu = Some(parse(value)?),
            ("am", "poll-byte") => am.poll_byte = Some(Bytes(parse(value)?)),
            ("am", "poll-retransmit") => {
                am.t_poll_retransmit = Duration::from_millis(parse(value)?);
            }
            ("am", "max-retx") => am.max_retx_threshold = parse(value)?,
            (_, "sn") if value == "10" => {}
            ("nr-um", "sn") if value == "6" => nr_um.sn_length = nr::um::SnLength::Six,
            ("nr-um", "sn") if value == "12" => {}
            ("nr-um", "reassembly") => nr_um.t_reassembly = Duration::from_millis(parse(value)?),
            ("nr-am", "sn") if value == "12" => nr_am.sn_length = nr::am::SnLength::Twelve,
            ("nr-am", "reassembly") => nr_am.t_reassembly = Duration::from_millis(parse(value)?),
            ("nr-am", "max-retx") => nr_am.max_retx_threshold = parse(value)?,
            ("nr-am", "poll-retransmit") => {
                nr_am.t_poll_retransmit = Duration::from_millis(parse(value)?);
            }
            ("nr-um" | "nr-am", "pdcp" | "pdcp-late") => {
                reordering = Some(Reordering {
                    window: 2048,
                    t_reordering: Some(Duration::from_millis(parse(value)?)),
                    out_of_order: false,
                    numbering: match key {
                        "pdcp" => Numbering::AtArrival,
                        _ => Numbering::AtTransmission,
                    },
                });
            }
            _ => return Err(format!("no such parameter: {word}")),
        }
    }
    let config = match mode {
        "um" => Config::Um(um),
        "am" => Config::Am(am),
        "nr-um" => Config::NrUm(nr_um),
        "nr-am" => Config::NrAm(nr_am),
        other => return Err(format!("no such mode: {other}")),
    };
    Ok(Bearer::new(config.clone(), config).reordered(&PerDirection::both(reordering)))
}

fn packet(id: usize, length: usize, now: Instant) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(id as u64),
        ..Packet::plain(
            Body::Datagram(Datagram { number: id as u64, payload: Bytes(length as u64) }),
            Bytes(length as u64),
            now,
        )
    })
}

/// `A*3B` is `AAAB`.
fn expand(text: &str) -> Result<String, String> {
    let mut letters = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[1..];
        let mut times = 1;
        if let Some(count) = rest.strip_prefix('*') {
            let digits = count.find(|c: char| !c.is_ascii_digit()).unwrap_or(count.len());
            times = parse(&count[..digits])?;
            rest = &count[digits..];
        }
        letters.extend(std::iter::repeat_n(letter, times));
    }
    Ok(letters)
}

/// `AAAAAB` is `A*5B`; runs of three stay.
fn shorten(letters: &str) -> String {
    letters.as_bytes().chunk_by(|one, next| one == next).fold(String::new(), |mut text, run| {
        let letter = char::from(run[0]);
        if run.len() > 3 {
            let _ = write!(text, "{letter}*{}", run.len());
        } else {
            text.extend(run.iter().map(|_| letter));
        }
        text
    })
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn millis(text: &str) -> Result<Instant, String> {
    let millis: f64 = parse(text)?;
    Ok(Instant::from_nanos((millis * 1e6).round() as u64))
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("not a number: {text:?}"))
}
