//! The bearer of each UE of an NR cell.
//!
//! In: the section of a cell. Out: the parameters of RLC and PDCP.

use super::super::{Checked, Checker};
use crate::net::PerDirection;
use crate::ran::{bearer, pdcp, rlc};
use crate::scenario::schema::{Nr, NrReordering, RlcMode};
use crate::unit::Bytes;

impl Checker<'_> {
    /// The one bearer of each UE.
    pub(super) fn data_radio_bearer(&self, section: &Nr) -> Checked<bearer::Config> {
        let buffer = section.buffer.get();
        let bits = section.rlc_sn_length;
        let sub_header = Bytes(3);
        let mode = match (section.rlc, bits) {
            (RlcMode::Um, 6 | 12) => rlc::Config::NrUm(rlc::nr::um::Config {
                sn_length: if bits == 6 {
                    rlc::nr::um::SnLength::Six
                } else {
                    rlc::nr::um::SnLength::Twelve
                },
                t_reassembly: section.t_reassembly,
                buffer,
                sub_header,
            }),
            (RlcMode::Am, 12 | 18) => rlc::Config::NrAm(rlc::nr::am::Config {
                sn_length: if bits == 12 {
                    rlc::nr::am::SnLength::Twelve
                } else {
                    rlc::nr::am::SnLength::Eighteen
                },
                buffer,
                poll_pdu: Some(section.poll_pdu),
                poll_byte: section.poll_byte.get(),
                t_poll_retransmit: section.t_poll_retransmit,
                max_retx_threshold: section.max_retx_threshold,
                t_reassembly: section.t_reassembly,
                t_status_prohibit: section.t_status_prohibit,
                sub_header,
            }),
            (RlcMode::Um, _) => {
                return self.nr_sn_length(bits, "6 or 12 bits in unacknowledged mode");
            }
            (RlcMode::Am, _) => {
                return self.nr_sn_length(bits, "12 or 18 bits in acknowledged mode");
            }
        };
        let sn_length = if section.pdcp_sn_length == 12 {
            pdcp::SnLength::Twelve
        } else {
            pdcp::SnLength::Eighteen
        };
        let pdcp = pdcp::Config {
            sn_length,
            discard_timer: section.discard_timer,
            rohc: None,
            reordering: Some(pdcp::Reordering {
                window: 1 << (section.pdcp_sn_length - 1),
                t_reordering: match section.t_reordering {
                    NrReordering::Infinity => None,
                    NrReordering::Time(time) => Some(time),
                },
                out_of_order: section.out_of_order_delivery,
            }),
        };
        Ok(bearer::Config {
            rlc: PerDirection::both(mode),
            pdcp: PerDirection::both(pdcp),
            ..bearer::Config::default_bearer()
        })
    }

    fn nr_sn_length<T>(&self, bits: u32, expected: &str) -> Checked<T> {
        self.wrong("radio.nr.rlc_sn_length", &bits.to_string(), expected)
    }
}
