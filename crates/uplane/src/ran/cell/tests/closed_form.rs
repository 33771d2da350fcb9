//! Mean one-way latencies of an LTE radio by hand (TR 36.912 annex B.2.1 and the TTI study's
//! appendix A).
//!
//! In: TTI, request period, block error rate. Out: milliseconds. Tests compare the simulated cell
//! with them; nothing in the cell uses them.
//!
//! Left out: queueing, and more than one retransmission: the formulas have none.

use crate::unit::Probability;

/// Returns the mean latency of a downlink packet in TTIs: 1.5 at the eNB, 1 on the air, 1.5 at the
/// UE, and 8 for each retransmission.
pub(super) fn downlink_ttis(p: Probability) -> f64 {
    4.0 + HARQ_ROUND_TRIP * p.value()
}

/// The mean latency of a packet that finds the UE without a grant, in the steps of table A.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UplinkSteps {
    /// 1: wait for the next request occasion.
    pub(super) occasion: f64,
    /// 2: transmission of the request.
    pub(super) request: f64,
    /// 3: the eNB decodes the request and makes a grant.
    pub(super) enb: f64,
    /// 4: transmission of the grant.
    pub(super) grant: f64,
    /// 5: the UE decodes the grant and encodes the data.
    pub(super) ue: f64,
    /// 6: transmission of the data, with retransmissions.
    pub(super) data: f64,
    /// 7: the eNB decodes the data.
    pub(super) decoding: f64,
}

/// Returns the steps in TTIs, for a request period in TTIs.
pub(super) fn uplink_ttis(request_period: f64, p: Probability) -> UplinkSteps {
    UplinkSteps {
        occasion: request_period / 2.0,
        request: 1.0,
        enb: 3.0,
        grant: 1.0,
        ue: 3.0,
        data: 1.0 + HARQ_ROUND_TRIP * p.value(),
        decoding: 1.5,
    }
}

impl UplinkSteps {
    /// Steps 1 to 4 and half of step 5, as the study splits them.
    pub(super) fn request_related(&self) -> f64 {
        self.occasion + self.request + self.enb + self.grant + self.ue / 2.0
    }

    /// Returns the other half of step 5, and the data.
    pub(super) fn transmission(&self) -> f64 {
        self.ue / 2.0 + self.data + self.decoding
    }

    /// Returns all steps together.
    pub(super) fn total(&self) -> f64 {
        self.request_related() + self.transmission()
    }
}

/// One row of the study's table 2, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// TTI of the row, in ms.
    pub(super) tti_ms: f64,
    /// The request period in TTIs.
    pub(super) request_period: f64,
    /// Downlink, error-free and with 10 % errors.
    pub(super) downlink: [f64; 2],
    /// Uplink for both error rates: related to the request, data, total.
    pub(super) uplink: [[f64; 3]; 2],
}

/// Returns a row computed from the study's appendix.
pub(super) fn row(tti_ms: f64, request_period: f64) -> Row {
    let errors = [0.0, 0.1].map(|p| Probability::new(p).expect("a probability"));
    Row {
        tti_ms,
        request_period,
        downlink: errors.map(|p| downlink_ttis(p) * tti_ms),
        uplink: errors.map(|p| {
            let steps = uplink_ttis(request_period, p);
            [steps.request_related(), steps.transmission(), steps.total()].map(|ttis| ttis * tti_ms)
        }),
    }
}

/// Time between a transmission and its retransmission, in TTIs.
const HARQ_ROUND_TRIP: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;

    const fn printed(
        tti_ms: f64,
        request_period: f64,
        downlink: [f64; 2],
        uplink: [[f64; 3]; 2],
    ) -> Row {
        Row { tti_ms, request_period, downlink, uplink }
    }

    /// Table 2 as printed in the study.
    const PRINTED: [Row; 6] = [
        printed(1.0, 5.0, [4.0, 4.8], [[9.0, 4.0, 13.0], [9.0, 4.8, 13.8]]),
        printed(0.5, 5.0, [2.0, 2.4], [[4.5, 2.0, 6.5], [4.5, 2.4, 6.9]]),
        printed(0.1, 5.0, [0.4, 0.48], [[0.9, 0.4, 1.3], [0.9, 0.48, 1.38]]),
        printed(1.0, 1.0, [4.0, 4.8], [[6.5, 4.0, 10.5], [6.5, 4.8, 11.3]]),
        printed(0.5, 1.0, [2.0, 2.4], [[3.25, 2.0, 5.25], [3.25, 2.4, 5.65]]),
        printed(0.1, 1.0, [0.4, 0.48], [[0.65, 0.4, 1.05], [0.65, 0.48, 1.13]]),
    ];

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    /// The study's table 2. Its rows with a period of 1 TTI leave out the mean wait of half a TTI
    /// that its appendix A counts: their request-related and total cells are half a TTI too small.
    #[test]
    fn the_printed_table_follows_its_appendix_but_for_one_wait() {
        for printed in PRINTED {
            let row = row(printed.tti_ms, printed.request_period);
            let wait = if close(row.request_period, 1.0) { row.tti_ms / 2.0 } else { 0.0 };
            assert!(row.downlink.iter().zip(printed.downlink).all(|(&a, b)| close(a, b)));
            for (ours, printed) in row.uplink.iter().zip(printed.uplink) {
                assert!(close(ours[0], printed[0] + wait), "{row:?}");
                assert!(close(ours[1], printed[1]), "{row:?}");
                assert!(close(ours[2], printed[2] + wait), "{row:?}");
            }
        }
    }
}
