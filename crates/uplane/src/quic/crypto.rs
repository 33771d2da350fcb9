//! The replacement for TLS 1.3 (RFC 9001): messages of the right lengths at the right levels, keys
//! that do not encrypt, a tag of 16 bytes.
//!
//! In: handshake messages of the peer. Out: own handshake messages, and "keys" when TLS would have
//! them. A message has its type, its length, the transport parameters (RFC 9001 §8.2) and zeros up
//! to the length that the scenario sets. It is longer only if the parameters do not fit.
//!
//! Left out: secrecy and authenticity, since nothing forges or tampers with packets here (a log
//! shows the frames). Resumption and 0-RTT: a second connection of an application needs a full
//! handshake. Key updates: the limits of the AEADs (RFC 9001 §6.6) exceed the number of packets of
//! a run. The computing time of cryptography.

use std::any::Any;
use std::sync::Arc;

use bytes::BytesMut;
use quinn_proto::crypto::{
    self, AeadKey, CryptoError, ExportKeyingMaterialError, HandshakeTokenKey, HeaderKey, HmacKey,
    KeyPair, Keys, PacketKey, UnsupportedVersion,
};
use quinn_proto::transport_parameters::TransportParameters;
use quinn_proto::{ConnectError, ConnectionId, Side, TransportError};

use super::profile::Profile;

/// The lengths of the handshake messages, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    client_hello: usize,
    server_hello: usize,
    server_handshake: usize,
    client_finished: usize,
}

impl Lengths {
    pub(super) fn of(profile: &Profile) -> Self {
        Self {
            client_hello: profile.client_hello.0 as usize,
            server_hello: profile.server_hello.0 as usize,
            server_handshake: profile.server_handshake.0 as usize,
            client_finished: profile.client_finished.0 as usize,
        }
    }
}

/// One end of a handshake (RFC 9001 §4.1).
struct Session {
    side: Side,
    lengths: Lengths,
    /// Own transport parameters, encoded.
    parameters: Vec<u8>,
    peer: Option<TransportParameters>,
    /// Number of messages written and read so far.
    written: usize,
    read: usize,
    /// Number of keys handed over: for the levels Handshake and 1-RTT.
    keyed: usize,
    /// The received part of an incomplete message.
    partial: Vec<u8>,
}

impl Session {
    fn new(side: Side, lengths: Lengths, parameters: &TransportParameters) -> Self {
        let mut encoded = Vec::new();
        parameters.write(&mut encoded);
        Self {
            side,
            lengths,
            parameters: encoded,
            peer: None,
            written: 0,
            read: 0,
            keyed: 0,
            partial: Vec::new(),
        }
    }

    /// Takes a complete message, if there is one.
    fn take_message(&mut self) -> Option<Vec<u8>> {
        let length = self.partial.first_chunk::<4>().map(|head| u32::from_be_bytes(*head))?;
        let length = length as usize;
        if self.partial.len() < length {
            return None;
        }
        let rest = self.partial.split_off(length);
        Some(std::mem::replace(&mut self.partial, rest))
    }

    /// Processes a message of the peer. Transport parameters are in the ClientHello, and in the
    /// second message of the server (EncryptedExtensions).
    fn on_message(&mut self, message: &[u8]) -> Result<(), TransportError> {
        self.read += 1;
        let length = usize::from(u16::from_be_bytes([message[4], message[5]]));
        let parameters = &message[HEAD..HEAD + length];
        if !parameters.is_empty() {
            self.peer = Some(TransportParameters::read(self.side, &mut &*parameters)?);
        }
        Ok(())
    }

    fn write(&mut self, out: &mut Vec<u8>, length: usize, with_parameters: bool) {
        let parameters: &[u8] = if with_parameters { &self.parameters } else { &[] };
        let length = length.max(HEAD + parameters.len());
        out.extend((length as u32).to_be_bytes());
        out.extend((parameters.len() as u16).to_be_bytes());
        out.extend(parameters);
        out.resize(length, 0);
        self.written += 1;
    }
}

impl crypto::Session for Session {
    fn initial_keys(&self, _: &ConnectionId, _: Side) -> Keys {
        keys()
    }

    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        None
    }

    fn early_data_accepted(&self) -> Option<bool> {
        None
    }

    /// Returns `false` once the handshake is complete: the own Finished was sent and the peer's was
    /// received (RFC 9001 §4.1.1).
    fn is_handshaking(&self) -> bool {
        match self.side {
            Side::Client => self.read < 2 || self.written < 2,
            Side::Server => self.read < 2,
        }
    }

    fn read_handshake(&mut self, bytes: &[u8]) -> Result<bool, TransportError> {
        let knew = self.peer.is_some();
        self.partial.extend(bytes);
        while let Some(message) = self.take_message() {
            self.on_message(&message)?;
        }
        Ok(!knew && self.peer.is_some())
    }

    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        Ok(self.peer)
    }

    /// Writes the next message, if there is one, and returns the keys of the next level (RFC 9001
    /// §4, figure 5).
    fn write_handshake(&mut self, out: &mut Vec<u8>) -> Option<Keys> {
        let Lengths { client_hello, server_hello, server_handshake, client_finished } =
            self.lengths;
        match (self.side, self.keyed, self.read) {
            (Side::Client, 0, 0) if self.written == 0 => {
                self.write(out, client_hello, true);
                return None;
            }
            // The ServerHello was received, which has no answer.
            (Side::Client, 0, 1) => {}
            (Side::Client, 1, 2) => self.write(out, client_finished, false),
            (Side::Server, 0, 1) => self.write(out, server_hello, false),
            (Side::Server, 1, 1) => self.write(out, server_handshake, true),
            _ => return None,
        }
        self.keyed += 1;
        Some(keys())
    }

    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        Some(keys().packet)
    }

    fn is_valid_retry(&self, _: &ConnectionId, _: &[u8], _: &[u8]) -> bool {
        false
    }

    fn export_keying_material(
        &self,
        _: &mut [u8],
        _: &[u8],
        _: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        Err(ExportKeyingMaterialError)
    }
}

/// Returns the keys, equal for all levels and both directions.
fn keys() -> Keys {
    Keys {
        header: KeyPair { local: Box::new(Clear), remote: Box::new(Clear) },
        packet: KeyPair { local: Box::new(Clear), remote: Box::new(Clear) },
    }
}

/// A key that does not encrypt.
struct Clear;

impl HeaderKey for Clear {
    fn decrypt(&self, _: usize, _: &mut [u8]) {}

    fn encrypt(&self, _: usize, _: &mut [u8]) {}

    /// Returns the sample size of header protection, in bytes (RFC 9001 §5.4.3).
    fn sample_size(&self) -> usize {
        16
    }
}

impl PacketKey for Clear {
    fn encrypt(&self, _: u64, buffer: &mut [u8], _: usize) {
        let payload = buffer.len() - TAG;
        buffer[payload..].fill(0);
    }

    fn decrypt(&self, _: u64, _: &[u8], payload: &mut BytesMut) -> Result<(), CryptoError> {
        let length = payload.len().checked_sub(TAG).ok_or(CryptoError)?;
        payload.truncate(length);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        TAG
    }

    fn confidentiality_limit(&self) -> u64 {
        u64::MAX
    }

    fn integrity_limit(&self) -> u64 {
        u64::MAX
    }
}

/// Signs with a rotation of the data: for stateless reset tokens (RFC 9000 §10.3), which nothing
/// guesses here.
impl HmacKey for Clear {
    fn sign(&self, data: &[u8], signature: &mut [u8]) {
        // Tokens of different connection ids must differ, or the library would confuse them.
        signature.fill(0);
        for (at, byte) in data.iter().enumerate() {
            let place = at % signature.len();
            signature[place] = signature[place].rotate_left(3) ^ byte;
        }
    }

    fn signature_len(&self) -> usize {
        32
    }

    fn verify(&self, data: &[u8], signature: &[u8]) -> Result<(), CryptoError> {
        let mut own = vec![0; signature.len()];
        self.sign(data, &mut own);
        if own == signature { Ok(()) } else { Err(CryptoError) }
    }
}

/// Key for tokens of address validation, which are never sent.
impl HandshakeTokenKey for Clear {
    fn aead_from_hkdf(&self, _: &[u8]) -> Box<dyn AeadKey> {
        Box::new(Self)
    }
}

impl AeadKey for Clear {
    fn seal(&self, _: &mut Vec<u8>, _: &[u8]) -> Result<(), CryptoError> {
        Ok(())
    }

    fn open<'a>(&self, data: &'a mut [u8], _: &[u8]) -> Result<&'a mut [u8], CryptoError> {
        Ok(data)
    }
}

/// The replacement for a TLS library with its certificates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tls {
    pub(super) lengths: Lengths,
}

impl crypto::ClientConfig for Tls {
    fn start_session(
        self: Arc<Self>,
        _: u32,
        _: &str,
        parameters: &TransportParameters,
    ) -> Result<Box<dyn crypto::Session>, ConnectError> {
        Ok(Box::new(Session::new(Side::Client, self.lengths, parameters)))
    }
}

impl crypto::ServerConfig for Tls {
    fn initial_keys(&self, _: u32, _: &ConnectionId) -> Result<Keys, UnsupportedVersion> {
        Ok(keys())
    }

    fn retry_tag(&self, _: u32, _: &ConnectionId, _: &[u8]) -> [u8; 16] {
        [0; 16]
    }

    fn start_session(
        self: Arc<Self>,
        _: u32,
        parameters: &TransportParameters,
    ) -> Box<dyn crypto::Session> {
        Box::new(Session::new(Side::Server, self.lengths, parameters))
    }
}

/// Returns the key that signs and seals all other data for the library.
pub(super) fn clear() -> Arc<impl HmacKey + HandshakeTokenKey> {
    Arc::new(Clear)
}

/// Length of a message's head: type, length, and the length of the transport parameters.
const HEAD: usize = 6;
/// The tag of the AEAD (RFC 9001 §5.3).
pub(super) const TAG: usize = 16;
