import Geometry
import Model

/// Parts of a hypothesis that differ from the primary filter, recorded for a snapshot.
struct HypothesisRecord: Sendable, Codable {
    private var parts: Parts
    private var covariance = PackedCovariance()

    /// All recorded parts except the covariance.
    private struct Parts: Sendable, Codable {
        private(set) var state: NavigationState
        private(set) var site: Site?
        private(set) var pending: PendingPropagation
        private(set) var heading: HeadingKnowledge
        private(set) var gnss: GNSSMonitor
        private(set) var regime: Regime
        private(set) var place: HeldPlace
        private(set) var tickedAt: BootTime
        private(set) var gyroBiasPrior: GyroBiasPrior
        private(set) var pressure: PressureMonitor
        private(set) var pendingWay: PendingWay
        private(set) var undirectedWay: UndirectedWay
        private(set) var planTurn: PlanTurn
        private(set) var forceMean: ForceMean
        private(set) var accelerationMean: AccelerationMean
        private(set) var vehicleMount: VehicleMount
        private(set) var restSpan: Double
        private(set) var restedAt: BootTime?
        private(set) var gait: GaitMonitor.Learned

        @inline(__always)
        init(_ filter: ErrorStateKalmanFilter) {
            state = filter.state
            site = filter.site
            pending = filter.pending
            heading = filter.heading
            gnss = filter.gnss
            regime = filter.regime
            place = filter.place
            tickedAt = filter.tickedAt
            gyroBiasPrior = filter.gyroBiasPrior
            pressure = filter.pressure
            pendingWay = filter.pendingWay
            undirectedWay = filter.undirectedWay
            planTurn = filter.planTurn
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
            filter.regime = regime
            filter.rules = regime.rules
            filter.place = place
            filter.tickedAt = tickedAt
            filter.gyroBiasPrior = gyroBiasPrior
            filter.pressure = pressure
            filter.pendingWay = pendingWay
            filter.undirectedWay = undirectedWay
            filter.planTurn = planTurn
            filter.forceMean = forceMean
            filter.accelerationMean = accelerationMean
            filter.vehicleMount = vehicleMount
            filter.restSpan = restSpan
            filter.restedAt = restedAt
            filter.gait.learned = gait
        }
    }

    /// Records a hypothesis.
    ///
    /// - Parameter filter: hypothesis; `inout` only to avoid a copy.
    init(_ filter: inout ErrorStateKalmanFilter) {
        parts = Parts(filter)
        covariance.pack(&filter.covariance)
    }

    /// Records a hypothesis in the place of an earlier hypothesis.
    ///
    /// - Parameter filter: hypothesis; `inout` only to avoid a copy.
    mutating func keep(_ filter: inout ErrorStateKalmanFilter) {
        parts = Parts(filter)
        covariance.pack(&filter.covariance)
    }

    /// Restores a hypothesis. Its other parts are copied from the primary filter when the hypothesis next follows it.
    mutating func restore(_ filter: inout ErrorStateKalmanFilter) {
        parts.restore(&filter)
        covariance.unpack(to: &filter.covariance)
    }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3, like filter: borrowing ErrorStateKalmanFilter) {
        var whole = copy filter
        restore(&whole)
        whole.shift(by: offset)
        keep(&whole)
    }
}

/// Upper triangle of a covariance, stored by rows. It suffices because a covariance is symmetric to the last bit.
struct PackedCovariance: Sendable, Codable {
    private var elements = InlineArray<528, Double>(repeating: 0)

    /// Copies the upper triangle of a covariance.
    ///
    /// - Parameter covariance: matrix to copy from; `inout` only to avoid a copy of the whole matrix.
    mutating func pack(_ covariance: inout Covariance) {
        var next = 0
        for i in 0..<ErrorState.count {
            for j in i..<ErrorState.count {
                elements[next] = covariance.rows[i][j]
                next += 1
            }
        }
    }

    /// Restores a covariance. The method is `mutating` so that the elements are read in place.
    mutating func unpack(to covariance: inout Covariance) {
        var next = 0
        for i in 0..<ErrorState.count {
            for j in i..<ErrorState.count {
                covariance.rows[i][j] = elements[next]
                next += 1
            }
        }
        for i in 1..<ErrorState.count {
            for j in 0..<i { covariance.rows[i][j] = covariance.rows[j][i] }
        }
    }
}
