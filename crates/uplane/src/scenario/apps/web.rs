//! `[[web]]`: the keys of a web page, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Application, Clock, Completion, web};
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration};

application! {
    /// Web page of several objects, which the UE requests from the server.
    Web {
        /// Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default" if
        /// the file has one, otherwise the profile "rfc". Refused beside `quic`.
        #[serde(default)]
        pub tcp: Option<String>,
        /// Name of the `[quic.NAME]` set, which makes the page use one QUIC connection instead of
        /// TCP connections, with a stream for each object (for several objects if `persistent`).
        /// "default" works without a section and has the default of every key. If not set, the page
        /// uses TCP.
        #[serde(default)]
        pub quic: Option<String>,
        /// Lengths of the objects of the page, in the order in which they are requested.
        #[schemars(transform = at_least("1 B").each())]
        pub objects: Vec<Bytes>,
        /// Length of the UE's request for each object. With 0 B, the server sends an object as soon
        /// as its connection or stream is open.
        #[serde(default = "web_request")]
        pub request: Bytes,
        /// Number of objects that are fetched in parallel, each on its own TCP connection or QUIC
        /// stream. With 1, objects are fetched one after the other.
        #[serde(default = "super::one")]
        #[schemars(transform = within(1, 1000).unit("objects"))]
        pub parallel: u32,
        /// Reuses a TCP connection (or QUIC stream) for further objects. If false, each object has
        /// its own TCP connection (or QUIC stream).
        #[serde(default)]
        pub persistent: bool,
        /// Event at which an object is complete, so that the next one may start: `"last_byte"`
        /// (arrival at the UE's application) or `"last_ack"` (arrival of the ACK of the last byte
        /// at the server).
        #[serde(default)]
        pub completion: Completion,
        /// Pause before the UE requests an object, also before the first one. The object's measured
        /// duration does not include it.
        #[serde(default = "super::at_once")]
        pub think: Duration,
    }
}

impl Section for Web {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        let key = format!("{}.objects", common.key);
        let expected = "at least one object";
        rest.demand(!self.objects.is_empty(), &key, "an empty list", expected)?;
        for (number, object) in self.objects.iter().enumerate() {
            rest.ends(common, &format!("objects.{number}"), *object)?;
        }
        let config = web::Config {
            objects: self.objects.clone(),
            request: self.request,
            connections: self.parallel,
            persistent: self.persistent,
            clock: Clock::Open,
            completion: self.completion,
            per_object: self.think,
            handshake: true,
        };
        let app = Application::Web(web::WebPage::new(config));
        let named = (self.tcp.as_deref(), self.quic.as_deref());
        rest.connected(common, named, (app, true))
    }
}

fn web_request() -> Bytes {
    Bytes(400)
}
