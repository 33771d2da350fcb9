//! An NR cell: what one of its keys says of another, and the cell that all of them make.

use super::super::schema::{Bler, McsChoice, Modulation, Nr, NrReordering, RlcMode, UplinkPrbs};
use super::{Checked, Checker};
use crate::net::PerDirection;
use crate::ran::cell::CellPlan;
use crate::ran::cell::config::{DownlinkQueueView, Slots};
use crate::ran::cell::{
    Access, Capacity, Carrier, Channel, Conditions, Config, Downlink, Groups, Tti, Uplink,
};
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::report::Levels;
use crate::ran::mac::request::Prohibit;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::timing::{Delay, Timing};
use crate::ran::mac::{control_channel, harq, report, request};
use crate::ran::nr::slot_format::SlotFormat;
use crate::ran::nr::timeline::{LEAST_DOWNLINK, PUCCH_SYMBOL, Processing, SlotGrid};
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::resources::{Dmrs, Granularity};
use crate::ran::phy::nr::{
    self, Capability, FrequencyRange, McsTable, Numerology, carrier_prbs, pdcch,
};
use crate::ran::phy::{Layers, LinkModel, Mcs, RateControl, Receiver, Sizing};
use crate::ran::{bearer, pdcp, rlc};
use crate::unit::{Bytes, Decibel, Duration};

/// The grid and the resource blocks of a cell.
struct Frame {
    numerology: Numerology,
    format: SlotFormat,
    prbs: u32,
    control_symbols: u32,
}

impl Checker<'_> {
    /// The cell of a section.
    pub(super) fn nr(&self, section: &Nr) -> Checked<CellPlan> {
        let frame = self.frame(section)?;
        let (timing, slots) = self.nr_timing(section, &frame)?;
        let request = self.nr_request(section, &frame)?;
        let config = Config {
            tti: Tti::of(frame.numerology.slot()),
            phase: section.phase,
            timing,
            slots: Some(slots),
            downlink: Downlink {
                channel: self.nr_channel(section, &frame, true)?,
                outer_loop: section.outer_loop,
                queue_view: DownlinkQueueView::Exact,
            },
            uplink: Uplink {
                channel: self.nr_channel(section, &frame, false)?,
                discipline: Discipline::Granted,
                outer_loop: section.outer_loop,
                access: Access::Standard,
                request,
                report: report::Config {
                    periodic: Some(section.periodic_bsr_timer),
                    retransmission: Some(section.retx_bsr_timer),
                    levels: Levels::FiveOrEightBits,
                    formats: report::NR_FORMATS,
                },
                grants: self.nr_grants(section, &frame)?,
                pucch: None,
            },
            control_channel: Some(control_channel::Config {
                message: pdcch::MESSAGE,
                ..control_channel::Config::of(pdcch::cces(frame.prbs, frame.control_symbols))
            }),
            feedback: FeedbackErrors {
                ack_as_nack: section.feedback.ack_as_nack,
                nack_as_ack: section.feedback.nack_as_ack,
                dtx_as_ack: section.feedback.dtx_as_ack,
                sr_missed: section.feedback.sr_missed,
                cqi_erased: section.feedback.cqi_erased,
            },
            sub_headers: SubHeaders::NR,
            bearers: vec![self.data_radio_bearer(section)?],
            aggregate_maximum: None,
            conditions: self.nr_conditions(section),
            spreads: self.nr_spreads(),
            ack_filters: Vec::new(),
        };
        let ues = self.file.ue.iter().map(|ue| ue.count).sum();
        CellPlan::new(config, ues).or_else(|why| self.wrong("radio.nr", &why, "a cell that can be"))
    }

    fn frame(&self, section: &Nr) -> Checked<Frame> {
        let khz = section.subcarrier_spacing_khz;
        let numerology = Numerology::of_spacing(khz).expect("the schema has the spacings");
        let format = match section.duplex.0.slots(numerology) {
            Ok(format) => format,
            Err(why) => {
                let expected = "a pattern that this subcarrier spacing can have";
                return self.wrong("radio.nr.duplex", &why, expected);
            }
        };
        let range = if khz == 120 { FrequencyRange::Fr2 } else { FrequencyRange::Fr1 };
        let mhz = section.bandwidth_mhz;
        let Some(prbs) = carrier_prbs(range, mhz, khz) else {
            let expected = format!("a bandwidth of TS 38.104 §5.3.2 with {khz} kHz");
            return self.wrong("radio.nr.bandwidth_mhz", &format!("{mhz} MHz"), &expected);
        };
        Ok(Frame { numerology, format, prbs, control_symbols: section.control_symbols })
    }

    /// Delays, and what follows from each slot.
    fn nr_timing(&self, section: &Nr, frame: &Frame) -> Checked<(Timing, Slots)> {
        let Frame { numerology, format, control_symbols, .. } = frame;
        let slots = |count: u64| numerology.slot() * count;
        let processing = Processing {
            transmit: slots(section.gnb_tx_slots),
            receive: slots(section.gnb_rx_slots),
            request: slots(section.gnb_sr_slots),
            least_k1: section.least_k1,
            least_k2: section.least_k2,
            capability: if section.ue_capability == 2 { Capability::Two } else { Capability::One },
            more_dmrs: section.dmrs_symbols > 1,
        };
        let grid = SlotGrid { format, numerology: *numerology, control_symbols: *control_symbols };
        let (Some(times), Some(receive), Some(transmit)) = (
            grid.times(&processing),
            numerology.pdsch_processing(processing.capability, processing.more_dmrs, 0),
            numerology.pusch_processing(processing.capability),
        ) else {
            let expected = "1: there is no capability 2 with 120 kHz (TS 38.214 §5.3)";
            return self.wrong("radio.nr.ue_capability", "2", expected);
        };
        let symbols = format.slots().iter();
        let spared = symbols.map(|slot| {
            numerology.slot()
                - numerology.symbol_start(if slot.down == 0 { SYMBOLS } else { slot.down })
        });
        let delay = |slots: u64| Delay::ttis(slots as u32);
        // Half of the UE's time is before, and half after what it sends and gets, as TR 37.910 has
        // it.
        let half = |time: Duration| Delay::NONE.at_least(Duration::from_nanos(time.as_nanos() / 2));
        let timing = Timing {
            enb_processing: delay(section.gnb_tx_slots),
            block_to_air: Delay::NONE,
            ue_processing: half(receive),
            ue_transmission: half(transmit),
            fill_to_uplink: Delay::NONE,
            uplink_decoding: delay(section.gnb_rx_slots),
            ..Timing::standard()
        };
        let slots = Slots { downlink_spared: spared.collect(), times };
        Ok((timing, slots))
    }

    /// TS 38.213 §9.2.4
    fn nr_request(&self, section: &Nr, frame: &Frame) -> Checked<request::Config> {
        let slots = self.uplink_slots(frame, "radio.nr.sr_period", section.sr_period)?;
        Ok(request::Config {
            period: section.sr_period,
            offset: section.sr_offset,
            slots: Some(slots),
            begins: frame.numerology.symbol_start(PUCCH_SYMBOL),
            prohibit: Prohibit::Slots(
                section.sr_prohibit_timer.as_nanos().div_ceil(frame.numerology.slot().as_nanos()),
            ),
            dsr_trans_max: section.sr_trans_max,
            random_access: section.random_access,
            back_off: section.random_access_backoff,
        })
    }

    /// The uplink slots of a period, which must hold whole patterns.
    fn uplink_slots(&self, frame: &Frame, key: &str, period: u64) -> Checked<Box<[u64]>> {
        let turn = frame.format.slots().len() as u64;
        let expected = format!(
            "a multiple of the {turn} slots of the TDD pattern: an occasion in a slot that goes down does not exist"
        );
        self.demand(period.is_multiple_of(turn), key, format!("{period} slots"), &expected)?;
        Ok((0..period).filter(|&slot| frame.format.at(slot).up == SYMBOLS).collect())
    }

    fn nr_grants(&self, section: &Nr, frame: &Frame) -> Checked<grant::Policy> {
        let configured = match section.configured_grant {
            None => None,
            Some(configured) => {
                let key = "radio.nr.configured_grant.period";
                let slots = self.uplink_slots(frame, key, configured.period)?;
                Some(Sps {
                    period: configured.period,
                    bytes: configured.size,
                    slots: Some(slots),
                    skips: true,
                })
            }
        };
        Ok(grant::Policy {
            on_request: OnRequest::Bytes(section.sr_grant),
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive: section.proactive_grants.map(|grants| ProactiveGrant {
                every: grants.every,
                bytes: grants.size,
                inactivity: grants.inactivity,
            }),
            sps: configured,
            ..grant::Policy::default()
        })
    }

    fn nr_channel(&self, section: &Nr, frame: &Frame, down: bool) -> Checked<Channel> {
        let (mcs, modulation, layers, key) = if down {
            (section.mcs, section.modulation, section.layers, "radio.nr.mcs")
        } else {
            (
                section.uplink_mcs,
                section.uplink_modulation,
                section.uplink_layers,
                "radio.nr.uplink_mcs",
            )
        };
        let table = match modulation {
            Modulation::Qam64 => McsTable::Qam64,
            Modulation::Qam256 => McsTable::Qam256,
        };
        let prbs = if down { frame.prbs } else { self.nr_uplink_prbs(section, frame)? };
        let elements: Box<[u32]> = elements(section, frame, down);
        let by_slot =
            elements.iter().map(|&elements| if elements == 0 { 0 } else { prbs }).collect();
        let largest = elements.iter().copied().max().unwrap_or(0);
        let expected =
            "fewer symbols with DM-RS, or longer slots: no resource elements are left for data";
        self.demand(largest > 0, "radio.nr.dmrs_symbols", section.dmrs_symbols, expected)?;
        let carrier = Carrier {
            prbs,
            by_slot: Some(by_slot),
            allocation: if down { Groups::Of(Granularity::Fine.rbg(prbs)) } else { Groups::Of(1) },
            sizing: Sizing::Nr(nr::Sizing {
                table,
                layers: layers_of(layers),
                res_per_prb: elements,
            }),
            rate_control: self.nr_rate_control(section, mcs, table, key)?,
            receiver: Receiver::Ideal,
        };
        let link = match &section.bler {
            Bler::Sinr => LinkModel::Sinr(Receiver::Ideal),
            Bler::None => LinkModel::Ideal,
            Bler::Fixed(each) if each.is_empty() => {
                let expected = "a probability for each transmission";
                return self.wrong("radio.nr.bler", "an empty list", expected);
            }
            Bler::Fixed(each) => LinkModel::FixedBler(each.clone()),
        };
        Ok(Channel {
            capacity: Capacity::Carrier(carrier),
            link,
            harq: harq::Config {
                processes: section.harq_processes,
                max_transmissions: section.harq_transmissions,
            },
            metric: if down { section.scheduler } else { section.uplink_scheduler },
            averaging_slots: section.averaging_slots,
            ues_per_slot: section.ues_per_slot,
            sharing: Sharing::Priority,
        })
    }

    fn nr_uplink_prbs(&self, section: &Nr, frame: &Frame) -> Checked<u32> {
        let prbs = match section.uplink_prbs {
            UplinkPrbs::All => frame.prbs,
            UplinkPrbs::Auto => frame.prbs - PUCCH_PRBS,
            UplinkPrbs::Of(prbs) => prbs,
        };
        let expected =
            format!("from 1 to {}, those of the carrier that may carry data", frame.prbs);
        self.demand(prbs <= frame.prbs, "radio.nr.uplink_prbs", prbs, &expected)?;
        Ok(prbs)
    }

    fn nr_rate_control(
        &self,
        section: &Nr,
        choice: McsChoice,
        table: McsTable,
        key: &str,
    ) -> Checked<RateControl> {
        let index = match choice {
            McsChoice::Adaptive => return Ok(RateControl::Adaptive(section.bler_target)),
            McsChoice::Highest => return Ok(RateControl::FixedMcs(table.highest())),
            McsChoice::Of(index) => index,
        };
        let mcs = u8::try_from(index).ok().and_then(Mcs::new);
        if let Some(mcs) = mcs.filter(|mcs| table.scheme(*mcs).is_some()) {
            return Ok(RateControl::FixedMcs(mcs));
        }
        let expected =
            "a scheme of the modulation's table: from 0 to 28 with 64QAM, to 27 with 256QAM";
        self.wrong(key, &index.to_string(), expected)
    }

    /// The one bearer of each UE.
    fn data_radio_bearer(&self, section: &Nr) -> Checked<bearer::Config> {
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

    /// Radio conditions of all UEs.
    fn nr_conditions(&self, section: &Nr) -> Vec<Conditions> {
        let usual = Conditions::default();
        let down = section.downlink_sinr_db.map_or(usual.downlink, Decibel);
        let up = section.uplink_sinr_db.map_or(usual.uplink, Decibel);
        let of = |ue: &super::super::schema::Ue| Conditions {
            downlink: ue.downlink_sinr_db.map_or(down, Decibel),
            uplink: ue.uplink_sinr_db.map_or(up, Decibel),
        };
        self.file.ue.iter().flat_map(|ue| (0..ue.count).map(move |_| of(ue))).collect()
    }

    /// By how much each UE may be better off.
    fn nr_spreads(&self) -> Vec<Decibel> {
        let spread = |ue: &super::super::schema::Ue| Decibel(ue.sinr_spread_db.unwrap_or(0.0));
        self.file.ue.iter().flat_map(|ue| (0..ue.count).map(move |_| spread(ue))).collect()
    }
}

/// `N'_RE` of each slot; zero in slots without data in this direction.
fn elements(section: &Nr, frame: &Frame, down: bool) -> Box<[u32]> {
    let dmrs = Dmrs { symbols: section.dmrs_symbols, ..Dmrs::ONE };
    let least = LEAST_DOWNLINK.max(frame.control_symbols + 1);
    let of = |symbols: u32| dmrs.elements(symbols, section.x_overhead);
    let slots = frame.format.slots().iter();
    slots
        .map(|slot| match (down, slot) {
            (true, slot) if slot.down >= least => of(slot.down - frame.control_symbols),
            (false, slot) if slot.up == SYMBOLS => of(slot.up),
            _ => 0,
        })
        .collect()
}

const fn layers_of(layers: u32) -> Layers {
    match layers {
        1 => Layers::One,
        2 => Layers::Two,
        3 => Layers::Three,
        _ => Layers::Four,
    }
}

/// Two at each edge of the band.
const PUCCH_PRBS: u32 = 4;
