//! The states of a connection (RFC 9293 §3.3.2).

/// The state of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// The state before and after a connection.
    #[default]
    Closed,
    /// Waiting for a SYN of the peer.
    Listen,
    /// SYN sent, no answer yet.
    SynSent,
    /// SYN sent and received, but ours is not yet acknowledged.
    SynReceived,
    /// Open for data in both directions.
    Established,
    /// FIN sent, not yet acknowledged.
    FinWait1,
    /// Our FIN is acknowledged; the peer may still send.
    FinWait2,
    /// The peer's FIN was received; we may still send.
    CloseWait,
    /// Both FINs were sent; ours is not yet acknowledged.
    Closing,
    /// FIN sent after the peer's; waiting for its acknowledgement.
    LastAck,
    /// Both ends have closed; waiting to acknowledge a retransmitted FIN.
    TimeWait,
}

impl State {
    /// Returns the name of the state in tables, as the specification spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "CLOSED",
            Self::Listen => "LISTEN",
            Self::SynSent => "SYN-SENT",
            Self::SynReceived => "SYN-RECEIVED",
            Self::Established => "ESTABLISHED",
            Self::FinWait1 => "FIN-WAIT-1",
            Self::FinWait2 => "FIN-WAIT-2",
            Self::CloseWait => "CLOSE-WAIT",
            Self::Closing => "CLOSING",
            Self::LastAck => "LAST-ACK",
            Self::TimeWait => "TIME-WAIT",
        }
    }

    /// Returns `true` while this end has data or a FIN to send or to repair.
    pub(super) const fn is_sending(self) -> bool {
        matches!(
            self,
            Self::Established
                | Self::CloseWait
                | Self::FinWait1
                | Self::FinWait2
                | Self::Closing
                | Self::LastAck
        )
    }

    /// Returns `true` while the peer may still send data.
    pub(super) const fn is_receiving(self) -> bool {
        matches!(self, Self::Established | Self::FinWait1 | Self::FinWait2)
    }

    /// Returns the state after our FIN has left.
    pub(super) const fn after_fin_sent(self) -> Self {
        match self {
            Self::Established => Self::FinWait1,
            Self::CloseWait => Self::LastAck,
            other => other,
        }
    }

    /// Returns the state after our FIN was acknowledged.
    pub(super) const fn after_fin_acknowledged(self) -> Self {
        match self {
            Self::FinWait1 => Self::FinWait2,
            Self::Closing => Self::TimeWait,
            Self::LastAck => Self::Closed,
            other => other,
        }
    }

    /// Returns the state after the peer's FIN was received in order.
    pub(super) const fn after_fin_received(self) -> Self {
        match self {
            Self::Established => Self::CloseWait,
            Self::FinWait1 => Self::Closing,
            Self::FinWait2 => Self::TimeWait,
            other => other,
        }
    }
}
