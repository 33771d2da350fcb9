//! `[[web]]`: the keys of a web page, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Application, Clock, Completion, web};
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration};

application! {
    /// A web page of several objects.
    Web {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP: one connection, a stream for each
        /// object (or for several, where `persistent`); "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// Lengths of the objects, in order.
        #[schemars(transform = at_least("1 B").each())]
        pub objects: Vec<Bytes>,
        /// Length of each request.
        #[serde(default = "web_request")]
        pub request: Bytes,
        /// How many objects are asked for at a time; 1 is in sequence.
        #[serde(default = "super::one")]
        #[schemars(transform = within(1, 1000).unit("objects"))]
        pub parallel: u32,
        /// Uses a connection for several objects; without, a new one for each.
        #[serde(default)]
        pub persistent: bool,
        /// When an object is complete, so that the next may begin.
        #[serde(default)]
        pub completion: Completion,
        /// Extra time between the completion of an object and the next request.
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
