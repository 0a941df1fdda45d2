/// What the tracking monitor needs of the filter, taken out of it: the whole would be copied on the way.
struct FilterSummary {
    let gnss: GNSSMonitor
    let magnetics: MagneticMonitor
    let isHeadingKnown: Bool
    /// Of the worst axis. Unit: rad/s.
    let gyroBiasDeviation: Double

    @inline(__always)
    init(_ filter: ErrorStateKalmanFilter) {
        gnss = filter.gnss
        magnetics = filter.magnetics
        isHeadingKnown = filter.heading.isKnown
        let bias = ErrorState.gyroBias
        gyroBiasDeviation = max(filter.deviation(bias), filter.deviation(bias + 1), filter.deviation(bias + 2))
    }
}
