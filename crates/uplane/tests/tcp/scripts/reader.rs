//! The reader of packetdrill-style scripts.
//!
//! One step a line; `//` begins a comment. First, optionally, the parameters:
//!
//! ```text
//! profile rfc              the profile to begin with (default: rfc)
//! set mss 1000             a change of it; `setting` below lists all
//! ```
//!
//! Then steps, each with a time: seconds since the start (`1.5`), or since the step before (`+.1`):
//!
//! ```text
//! 0    connect | listen | established | write 1000 | close | abort | too_big 1400
//! 0    reads 8000                        the application reads 8000 bit/s
//! 0    knows 0a0b0c0d0a0b0c0d 1460 | grants 0a0b0c0d    Fast Open, before `connect` or `listen`
//! 0    syn                               Fast Open, after `connect`
//! +.1  < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK,TS val 7 ecr 0,wscale 7>    a segment in
//! +0   > P. 1:1001(1000) ack 1 <sack 1:2 3:4>                                   a segment out
//! +0   cwnd 10000                        a fact holds
//! +0   waited loss recovery 1            wait of the last segment for this cause, in s
//! ```
//!
//! Flags are `S`, `F`, `R`, `P`, `.` for ACK, `E` for ECE, `W` for CWR and `A` for AE; `-` for
//! none. `[ect0]`, `[ect1]` or `[ce]` before them is the ECN field; segments without it are not
//! ECT. Numbers of both directions count from the sender's initial sequence number, so that a SYN
//! is 0. In a segment that is sent, `win` and the options are checked if the script states them;
//! SACK blocks always. A received segment without `win` has the maximum window. `FO
//! 0a0b0c0d0a0b0c0d` is a cookie, which repeats eight digits, `FO` the request for one; it is
//! checked in every sent segment with options, as is `ECN e0b 1 ceb 0 e1b 1`, the AccECN option.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{self, StrDeserializer};
use toml::Table;
use uplane::net::{
    ByteCounters, Cookie, Ecn, Flags, SackBlocks, Segment, SequenceNumber, Timestamps,
};
use uplane::tcp::{CongestionControl, Growth, InitialWindow, Known, Nagle, PROFILES, Profile};
use uplane::unit::base::lay_under;
use uplane::unit::{Bitrate, Bytes, Duration, Instant, Limit};

/// A script, ready to be played.
pub(crate) struct Script {
    pub(crate) profile: Profile,
    /// Our initial sequence number.
    pub(crate) isn: u32,
    /// Initial sequence number of the peer.
    pub(crate) peer_isn: u32,
    pub(crate) steps: Vec<Step>,
}

/// One line of a script.
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) at: Instant,
    pub(crate) action: Action,
}

/// Action or check of a line.
pub(crate) enum Action {
    Connect,
    Listen,
    Syn,
    Knows(Known),
    Grants(Cookie),
    Established,
    Write(Bytes),
    Close,
    Abort,
    TooBig(Bytes),
    Reads(Bitrate),
    Receive(Segment, Ecn),
    Send(Expected),
    Fact { name: String, value: String },
    Waited { cause: String, seconds: String },
}

/// A segment that must be sent.
pub(crate) struct Expected {
    pub(crate) segment: Segment,
    pub(crate) field: Ecn,
    /// Text of the expected segment.
    pub(crate) text: String,
    pub(crate) window_given: bool,
    pub(crate) options_given: bool,
}

type Result<T> = std::result::Result<T, String>;

/// Reads a whole script; the error names the line.
pub(crate) fn read(text: &str) -> Result<Script> {
    let mut script = Script { profile: Profile::rfc(), isn: 0, peer_isn: 0, steps: Vec::new() };
    let mut now = Instant::ZERO;
    for (index, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if !line.is_empty() {
            read_line(&mut script, &mut now, index + 1, line)
                .map_err(|message| format!("line {}: {message}", index + 1))?;
        }
    }
    Ok(script)
}

fn read_line(script: &mut Script, now: &mut Instant, number: usize, line: &str) -> Result<()> {
    let (first, rest) = split(line);
    match first {
        "profile" => script.profile = profile(rest)?,
        "set" => {
            let (key, value) = split(rest);
            setting(script, key, value)?;
        }
        _ => {
            let at = time(*now, first)?;
            if at < *now {
                return Err("time runs backwards".to_owned());
            }
            *now = at;
            let action = action(script, rest)?;
            script.steps.push(Step { line: number, at, action });
        }
    }
    Ok(())
}

/// A built-in profile, or one of study 004.
fn profile(name: &str) -> Result<Profile> {
    let name = name.replace('_', "-");
    if let Some(profile) = Profile::built_in(&name) {
        return Ok(profile);
    }
    let unknown = || format!("there is no profile `{name}`");
    let mut base = name.strip_prefix("study-004-").ok_or_else(unknown)?.to_owned() + ".toml";
    let mut values = Table::new();
    while let Some(text) = study_004(&base) {
        let below: Table = toml::from_str(text).map_err(|error| error.to_string())?;
        lay_under(&mut values, below);
        base =
            values.remove("base").and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
    }
    lay_under(&mut values, PROFILES.values(&base).ok_or_else(unknown)?);
    values.insert("base".to_owned(), base.into());
    Profile::deserialize(values).map_err(|error| error.to_string())
}

fn study_004(file: &str) -> Option<&'static str> {
    Some(match file {
        "plain.toml" => {
            include_str!("../../../../../python/uplane/studies/004-geran-latency/tcp/plain.toml")
        }
        "held-handshake.toml" => include_str!(
            "../../../../../python/uplane/studies/004-geran-latency/tcp/held-handshake.toml"
        ),
        "held-acks.toml" => {
            include_str!(
                "../../../../../python/uplane/studies/004-geran-latency/tcp/held-acks.toml"
            )
        }
        _ => return None,
    })
}

fn setting(script: &mut Script, key: &str, value: &str) -> Result<()> {
    let profile = &mut script.profile;
    match key {
        "isn" => script.isn = number(value)?,
        "peer_isn" => script.peer_isn = number(value)?,
        "mss" => profile.mss = bytes(value)?,
        "announce_mss" => profile.announce_mss = switch(value)?,
        "sack" => profile.sack = switch(value)?,
        "timestamps" => profile.timestamps = switch(value)?,
        "window_scaling" => profile.window_scaling = switch(value)?,
        "congestion" => profile.congestion_control = congestion(value)?.into(),
        "growth" => profile.growth = growth(value)?,
        "initial_window" => profile.initial_window = initial_window(value)?,
        "initial_ssthresh" => profile.initial_ssthresh = Limit::of(bytes(value)?),
        "maximum_cwnd" => profile.max_window = Limit::of(bytes(value)?),
        "grow_only_when_limited" => profile.grow_only_when_limited = switch(value)?,
        "limited_transmit" => profile.limited_transmit = switch(value)?,
        "nagle" => profile.nagle = nagle(value)?,
        "pacing_burst" => {
            profile.pacing = true;
            profile.pacing_burst = bytes(value)?;
        }
        "send_buffer" => profile.send_buffer = Limit::of(bytes(value)?),
        "receive_buffer" => profile.receive_buffer = bytes(value)?,
        "minimum_rto" => profile.min_rto = span(value)?,
        "initial_rto" => profile.initial_rto = span(value)?,
        "retries" => profile.retries = number(value)?,
        "syn_retries" => profile.syn_retries = number(value)?,
        "quick_acks" => profile.acks.quick = number(value)?,
        "at_push" => profile.acks.at_push = value == "on",
        "compressed_sacks" => profile.acks.compressed_sacks = number(value)?,
        "compressed_delay" => profile.acks.compressed_delay = span(value)?,
        "handshake_ack_hold" => profile.handshake_ack_hold = span(value)?,
        "time_wait" => profile.time_wait = span(value)?,
        other => *profile = with_key(profile, other, value)?,
    }
    Ok(())
}

/// Returns the profile with another value of a key; flags are `on` and `off`.
fn with_key(profile: &Profile, key: &str, value: &str) -> Result<Profile> {
    let mut values = Table::try_from(profile).map_err(|error| error.to_string())?;
    if !values.contains_key(key) {
        return Err(format!("there is no setting `{key}`"));
    }
    // The name of a rule may also be `off`.
    let is_named = key == "ecn";
    let flag = switch(value).ok().filter(|_| !is_named).map(toml::Value::from);
    let whole = number::<i64>(value).map(toml::Value::from);
    let value = flag.or(whole.ok()).unwrap_or_else(|| value.into());
    values.insert(key.to_owned(), value);
    Profile::deserialize(values).map_err(|error| format!("`{key}`: {error}"))
}

fn congestion(value: &str) -> Result<CongestionControl> {
    let name: StrDeserializer<'_, value::Error> = value.into_deserializer();
    CongestionControl::deserialize(name)
        .map_err(|_| format!("there is no congestion control `{value}`"))
}

fn growth(value: &str) -> Result<Growth> {
    match value {
        "per_ack" => Ok(Growth::PerAck),
        "per_byte" => Ok(Growth::PerByte),
        "abc1" => Ok(Growth::Abc1),
        "abc2" => Ok(Growth::Abc2),
        other => Err(format!("there is no growth `{other}`")),
    }
}

fn initial_window(value: &str) -> Result<InitialWindow> {
    match value {
        "rfc3390" => Ok(InitialWindow::Rfc3390),
        "rfc6928" => Ok(InitialWindow::Rfc6928),
        segments => Ok(InitialWindow::Segments(number(segments)?)),
    }
}

fn nagle(value: &str) -> Result<Nagle> {
    match value {
        "off" => Ok(Nagle::Off),
        "rfc" => Ok(Nagle::Rfc),
        "minshall" => Ok(Nagle::Minshall),
        other => Err(format!("there is no nagle `{other}`")),
    }
}

fn action(script: &Script, text: &str) -> Result<Action> {
    let (verb, rest) = split(text);
    Ok(match verb {
        "connect" => Action::Connect,
        "listen" => Action::Listen,
        "syn" => Action::Syn,
        "knows" => {
            let (value, mss) = split(rest);
            let mss = if mss.is_empty() { None } else { Some(bytes(mss)?) };
            Action::Knows(Known { cookie: cookie(value)?, mss })
        }
        "grants" => Action::Grants(cookie(rest)?),
        "established" => Action::Established,
        "write" => Action::Write(bytes(rest)?),
        "close" => Action::Close,
        "abort" => Action::Abort,
        "too_big" => Action::TooBig(bytes(rest)?),
        "reads" => {
            let rate = Bitrate::from_bps(number(rest)?);
            Action::Reads(rate.ok_or("a rate is more than zero")?)
        }
        "<" => {
            let (field, rest) = ecn_field(rest);
            Action::Receive(received(rest, script)?, field)
        }
        ">" => {
            let (field, segment_text) = ecn_field(rest);
            Action::Send(Expected {
                segment: segment(segment_text, script.isn, script.peer_isn)?,
                field,
                text: rest.to_owned(),
                window_given: rest.contains("win "),
                options_given: rest.contains('<'),
            })
        }
        "waited" => {
            let (cause, seconds) =
                rest.rsplit_once(' ').ok_or("`waited` needs a cause and a time")?;
            Action::Waited { cause: cause.trim().to_owned(), seconds: seconds.to_owned() }
        }
        name if FACTS.contains(&name) => match rest {
            "" => return Err(format!("`{name}` needs a value")),
            value => Action::Fact { name: name.to_owned(), value: value.to_owned() },
        },
        other => return Err(format!("`{other}` is no action")),
    })
}

/// Reads an ECN field such as `[ect0]` at the beginning.
fn ecn_field(text: &str) -> (Ecn, &str) {
    let fields = [("[ect0]", Ecn::Ect0), ("[ect1]", Ecn::Ect1), ("[ce]", Ecn::Ce)];
    let found = fields.iter().find_map(|&(word, field)| Some((field, text.strip_prefix(word)?)));
    found.map_or((Ecn::NotEct, text), |(field, rest)| (field, rest.trim_start()))
}

/// Reads a segment of the peer, whose window is wide open by default.
fn received(text: &str, script: &Script) -> Result<Segment> {
    let mut segment = segment(text, script.peer_isn, script.isn)?;
    if !text.contains("win ") {
        segment.window = u16::MAX;
    }
    Ok(segment)
}

/// Reads `P. 1:1001(1000) ack 1 win 257 <options>`; `own` and `other` are the numbers that its
/// sequence number and its acknowledgement count from.
fn segment(text: &str, own: u32, other: u32) -> Result<Segment> {
    let (text, options) = match text.split_once('<') {
        Some((text, options)) => {
            (text, options.strip_suffix('>').ok_or("the options need a `>` at their end")?)
        }
        None => (text, ""),
    };
    let mut words = text.split_whitespace();
    let flags = flags(words.next().ok_or("a segment needs flags")?)?;
    let (first, length) = range(words.next().ok_or("a segment needs a range")?)?;
    let mut segment = Segment {
        seq: SequenceNumber(own.wrapping_add(first)),
        flags,
        payload: Bytes(length),
        ..Segment::default()
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{word}` needs a number"))?;
        match word {
            "ack" => segment.ack = SequenceNumber(other.wrapping_add(number(value)?)),
            "win" => segment.window = number(value)?,
            unknown => return Err(format!("`{unknown}` is no part of a segment")),
        }
    }
    for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
        self::option(&mut segment, option, other)?;
    }
    Ok(segment)
}

fn option(segment: &mut Segment, text: &str, other: u32) -> Result<()> {
    let (name, rest) = split(text);
    let value = || if rest.is_empty() { Err(format!("`{name}` needs a number")) } else { Ok(rest) };
    match name {
        "mss" => segment.mss = Some(number(value()?)?),
        "wscale" => segment.window_scale = Some(number(value()?)?),
        "sackOK" => segment.sack_permitted = true,
        "ECN" => segment.byte_counters = Some(Box::new(byte_counters(rest)?)),
        "FO" => segment.fast_open = Some(cookie(rest)?),
        "nop" | "eol" => {}
        "TS" => {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let ["val", val, "ecr", ecr] = words[..] else {
                return Err("write timestamps as `TS val 1 ecr 2`".to_owned());
            };
            segment.timestamps = Some(Timestamps { value: number(val)?, echo: number(ecr)? });
        }
        "sack" => segment.sack = sack(rest, other)?,
        unknown => return Err(format!("there is no option `{unknown}`")),
    }
    Ok(())
}

/// Reads `e0b 1 ceb 0 e1b 1`, or ECT(1) first; counters at the end may be missing.
fn byte_counters(text: &str) -> Result<ByteCounters> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let of = |name| words.iter().position(|&word| word == name);
    let value = |name| of(name).map_or(Ok(0), |at| number(words.get(at + 1).unwrap_or(&"")));
    let (ect0, ce, ect1) = (value("e0b")?, value("ceb")?, value("e1b")?);
    let all = ByteCounters::all(ect0, ce, ect1, words.first() == Some(&"e1b"));
    let count = u8::try_from(words.len() / 2).map_err(|_| "there are three counters")?;
    Ok(all.shortened(count))
}

/// Reads the bytes of a cookie, which repeat the first four.
fn cookie(text: &str) -> Result<Cookie> {
    let digits = text.get(..8).unwrap_or("0");
    let value = u32::from_str_radix(digits, 16).map_err(|_| format!("`{text}` is no cookie"))?;
    let length = u8::try_from(text.len() / 2).map_err(|_| format!("`{text}` is too long"))?;
    let cookie = Cookie { value, length };
    if cookie.hexadecimal() == text { Ok(cookie) } else { Err(format!("`{text}` is no cookie")) }
}

fn sack(text: &str, other: u32) -> Result<SackBlocks> {
    let mut blocks = SackBlocks::default();
    for block in text.split_whitespace() {
        let (left, right) = block.split_once(':').ok_or("write SACK blocks as `1:2 3:4`")?;
        let edge = |text| number(text).map(|edge: u32| SequenceNumber(other.wrapping_add(edge)));
        blocks.push(edge(left)?, edge(right)?);
    }
    Ok(blocks)
}

fn flags(text: &str) -> Result<Flags> {
    text.chars().try_fold(Flags::default(), |flags, letter| {
        let flag = match letter {
            'S' => Flags::SYN,
            'F' => Flags::FIN,
            'R' => Flags::RST,
            'P' => Flags::PSH,
            '.' => Flags::ACK,
            'E' => Flags::ECE,
            'W' => Flags::CWR,
            'A' => Flags::AE,
            '-' => Flags::default(),
            other => return Err(format!("`{other}` is no flag")),
        };
        Ok(flags.with(flag))
    })
}

/// Reads `1:1001(1000)`.
fn range(text: &str) -> Result<(u32, u64)> {
    let wrong = || format!("`{text}` is no range like `1:1001(1000)`");
    let (ends, length) =
        text.strip_suffix(')').and_then(|text| text.split_once('(')).ok_or_else(wrong)?;
    let (first, last) = ends.split_once(':').ok_or_else(wrong)?;
    let (first, last, length): (u32, u32, u32) = (number(first)?, number(last)?, number(length)?);
    if last.wrapping_sub(first) != length {
        return Err(format!("{first}:{last} is not {length} bytes long"));
    }
    Ok((first, u64::from(length)))
}

fn time(now: Instant, text: &str) -> Result<Instant> {
    let wrong = || format!("`{text}` is no time");
    let (base, seconds) = match text.strip_prefix('+') {
        Some(seconds) => (now, seconds),
        None => (Instant::ZERO, text),
    };
    let starts_well = seconds.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.');
    if !starts_well {
        return Err(wrong());
    }
    Ok(base + span(seconds).map_err(|_| wrong())?)
}

fn span(text: &str) -> Result<Duration> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Ok(Duration::from_secs_f64(seconds))
}

fn bytes(text: &str) -> Result<Bytes> {
    number(text).map(Bytes)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn switch(text: &str) -> Result<bool> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        other => Err(format!("`{other}` is neither on nor off")),
    }
}

fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

/// Facts that a script can state about a connection.
const FACTS: [&str; 21] = [
    "cwnd",
    "ssthresh",
    "flight",
    "rto",
    "srtt",
    "state",
    "limit",
    "delivered",
    "received",
    "acked",
    "segments",
    "retransmissions",
    "duplicate_acks",
    "timeouts",
    "recoveries",
    "marks_received",
    "mark_echoes",
    "mark_reductions",
    "fast_open",
    "learned",
    "closed",
];
