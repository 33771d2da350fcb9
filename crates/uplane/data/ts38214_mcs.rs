// 3GPP TS 38.214 Tables 5.1.3.1-1/-2/-3 (PDSCH, PUSCH without transform precoding) and 6.1.4.1-1/-2
// (PUSCH with transform precoding): I_MCS, Q_m, target code rate x 1024, spectral efficiency; empty
// = reserved. In 6.1.4.1-1/-2 rows with q_m=1 are for pi/2-BPSK (q=1); without tp-pi2BPSK use q_m=2
// and half the code rate. Modulation order Q_m and target code rate times 1024 by I_MCS; none for
// reserved values.
[
    // Table 5.1.3.1-1
    [
        Some((2, 120.0)), Some((2, 157.0)), Some((2, 193.0)), Some((2, 251.0)), Some((2, 308.0)),
        Some((2, 379.0)), Some((2, 449.0)), Some((2, 526.0)), Some((2, 602.0)), Some((2, 679.0)),
        Some((4, 340.0)), Some((4, 378.0)), Some((4, 434.0)), Some((4, 490.0)), Some((4, 553.0)),
        Some((4, 616.0)), Some((4, 658.0)), Some((6, 438.0)), Some((6, 466.0)), Some((6, 517.0)),
        Some((6, 567.0)), Some((6, 616.0)), Some((6, 666.0)), Some((6, 719.0)), Some((6, 772.0)),
        Some((6, 822.0)), Some((6, 873.0)), Some((6, 910.0)), Some((6, 948.0)), None, None, None,
    ],
    // Table 5.1.3.1-2
    [
        Some((2, 120.0)), Some((2, 193.0)), Some((2, 308.0)), Some((2, 449.0)), Some((2, 602.0)),
        Some((4, 378.0)), Some((4, 434.0)), Some((4, 490.0)), Some((4, 553.0)), Some((4, 616.0)),
        Some((4, 658.0)), Some((6, 466.0)), Some((6, 517.0)), Some((6, 567.0)), Some((6, 616.0)),
        Some((6, 666.0)), Some((6, 719.0)), Some((6, 772.0)), Some((6, 822.0)), Some((6, 873.0)),
        Some((8, 682.5)), Some((8, 711.0)), Some((8, 754.0)), Some((8, 797.0)), Some((8, 841.0)),
        Some((8, 885.0)), Some((8, 916.5)), Some((8, 948.0)), None, None, None, None,
    ],
    // Table 5.1.3.1-3
    [
        Some((2, 30.0)), Some((2, 40.0)), Some((2, 50.0)), Some((2, 64.0)), Some((2, 78.0)), Some((2, 99.0)),
        Some((2, 120.0)), Some((2, 157.0)), Some((2, 193.0)), Some((2, 251.0)), Some((2, 308.0)),
        Some((2, 379.0)), Some((2, 449.0)), Some((2, 526.0)), Some((2, 602.0)), Some((4, 340.0)),
        Some((4, 378.0)), Some((4, 434.0)), Some((4, 490.0)), Some((4, 553.0)), Some((4, 616.0)),
        Some((6, 438.0)), Some((6, 466.0)), Some((6, 517.0)), Some((6, 567.0)), Some((6, 616.0)),
        Some((6, 666.0)), Some((6, 719.0)), Some((6, 772.0)), None, None, None,
    ],
    // Table 6.1.4.1-1
    [
        Some((1, 240.0)), Some((1, 314.0)), Some((2, 193.0)), Some((2, 251.0)), Some((2, 308.0)),
        Some((2, 379.0)), Some((2, 449.0)), Some((2, 526.0)), Some((2, 602.0)), Some((2, 679.0)),
        Some((4, 340.0)), Some((4, 378.0)), Some((4, 434.0)), Some((4, 490.0)), Some((4, 553.0)),
        Some((4, 616.0)), Some((4, 658.0)), Some((6, 466.0)), Some((6, 517.0)), Some((6, 567.0)),
        Some((6, 616.0)), Some((6, 666.0)), Some((6, 719.0)), Some((6, 772.0)), Some((6, 822.0)),
        Some((6, 873.0)), Some((6, 910.0)), Some((6, 948.0)), None, None, None, None,
    ],
    // Table 6.1.4.1-2
    [
        Some((1, 60.0)), Some((1, 80.0)), Some((1, 100.0)), Some((1, 128.0)), Some((1, 156.0)),
        Some((1, 198.0)), Some((2, 120.0)), Some((2, 157.0)), Some((2, 193.0)), Some((2, 251.0)),
        Some((2, 308.0)), Some((2, 379.0)), Some((2, 449.0)), Some((2, 526.0)), Some((2, 602.0)),
        Some((2, 679.0)), Some((4, 378.0)), Some((4, 434.0)), Some((4, 490.0)), Some((4, 553.0)),
        Some((4, 616.0)), Some((4, 658.0)), Some((4, 699.0)), Some((4, 772.0)), Some((6, 567.0)),
        Some((6, 616.0)), Some((6, 666.0)), Some((6, 772.0)), None, None, None, None,
    ],
]
