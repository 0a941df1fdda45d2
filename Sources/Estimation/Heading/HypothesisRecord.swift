import Geometry
import Model

/// What a hypothesis of another north has of its own, to be kept for later: all else it shares with the carrier.
struct HypothesisRecord: Sendable {
    private var parts: Parts
    private var covariance = PackedCovariance()

    /// All but the covariance.
    private struct Parts: Sendable {
        let state: NavigationState
        let site: Site?
        let pending: PendingPropagation
        let heading: HeadingKnowledge
        let gnss: GNSSMonitor
        let unaided: UnaidedMode
        let pressure: PressureMonitor
        let pendingWay: PendingWay
        let undirectedWay: UndirectedWay
        let forceMean: ForceMean
        let accelerationMean: AccelerationMean
        let vehicleMount: VehicleMount
        let restSpan: Double
        let restedAt: BootTime?
        let gait: GaitMonitor.Learned

        @inline(__always)
        init(_ filter: ErrorStateKalmanFilter) {
            state = filter.state
            site = filter.site
            pending = filter.pending
            heading = filter.heading
            gnss = filter.gnss
            unaided = filter.unaided
            pressure = filter.pressure
            pendingWay = filter.pendingWay
            undirectedWay = filter.undirectedWay
            forceMean = filter.forceMean
            accelerationMean = filter.accelerationMean
            vehicleMount = filter.vehicleMount
            restSpan = filter.restSpan
            restedAt = filter.restedAt
            gait = filter.gait.learned
        }

        @inline(__always)
        func restore(_ filter: inout ErrorStateKalmanFilter) {
            filter.state = state
            filter.site = site
            filter.pending = pending
            filter.heading = heading
            filter.gnss = gnss
            filter.unaided = unaided
            filter.pressure = pressure
            filter.pendingWay = pendingWay
            filter.undirectedWay = undirectedWay
            filter.forceMean = forceMean
            filter.accelerationMean = accelerationMean
            filter.vehicleMount = vehicleMount
            filter.restSpan = restSpan
            filter.restedAt = restedAt
            filter.gait.learned = gait
        }
    }

    /// - Parameter filter: is only read; as a value it would be copied.
    init(_ filter: inout ErrorStateKalmanFilter) {
        parts = Parts(filter)
        covariance.pack(&filter.covariance)
    }

    /// Takes the place of an earlier one.
    ///
    /// - Parameter filter: is only read; as a value it would be copied.
    mutating func keep(_ filter: inout ErrorStateKalmanFilter) {
        parts = Parts(filter)
        covariance.pack(&filter.covariance)
    }

    /// Makes a hypothesis what it was; all else it takes over from the carrier before it goes on.
    mutating func restore(_ filter: inout ErrorStateKalmanFilter) {
        parts.restore(&filter)
        covariance.unpack(to: &filter.covariance)
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one.
    mutating func shift(by offset: Vector3, like filter: borrowing ErrorStateKalmanFilter) {
        var whole = copy filter
        restore(&whole)
        whole.shift(by: offset)
        keep(&whole)
    }
}
