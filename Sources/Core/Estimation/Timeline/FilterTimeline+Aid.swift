import Model

/// Application of the measurements between two inertial samples to the filter and its hypotheses.
extension FilterTimeline {
    mutating func run(to sample: InertialSample) -> InertialIncrement {
        var total = InertialIncrement.none
        let firstAid = nextAid
        while nextAid < aids.count, aids[nextAid].time <= sample.time {
            switch aids[nextAid].kind {
            case .fix(let fix): total.add(apply(fix, within: sample, isCounted: aids[nextAid].isCounted))
            case .camera(let pose): total.add(apply(pose, within: sample, isCounted: aids[nextAid].isCounted))
            case .offer(let offer): total.add(apply(offer, within: sample, isCounted: aids[nextAid].isCounted))
            case .matched(let matched): if filter.apply(matched) { bank.close() }
            case .doubt(let reading): if filter.resetYaw(reading) { bank.close() }
            case .magnetic, .pressure: break
            }
            nextAid += 1
        }
        let increment = filter.propagate(to: sample)
        if total.duration > 0 { total.add(increment) } else { total = increment }
        if bank.isOpen { bank.add(sample, increment, filter.state) }
        let isFirst = sample.time > countedUntil
        if isFirst { countedUntil = sample.time }
        let step = filter.detect(sample)
        if isFirst { updates.add(step, of: .steps) }
        if bank.isOpen { bank.noteStep(of: filter) }
        for index in firstAid..<nextAid { applyField(index) }
        let rest = filter.tick()
        if isFirst { updates.add(rest, of: .rest) }
        if bank.isOpen, bank.isDue { bank.follow(&filter) }
        if isSnapshotDue(after: increment.duration) { keepSnapshot() }
        return total
    }

    /// Applies a magnetic sample or a height, after the inertial sample that it belongs to.
    @inline(__always)
    private mutating func applyField(_ index: Int) {
        let isFirst = !aids[index].isCounted
        aids[index].isCounted = true
        switch aids[index].kind {
        case .fix, .doubt, .camera, .offer, .matched: break
        case .magnetic(let magnetic):
            let outcome = filter.apply(magnetic)
            if isFirst { updates.add(outcome, of: .magnetometer) }
            noteReading()
        case .pressure(let pressure):
            let outcome = filter.apply(pressure)
            if isFirst { updates.add(outcome, of: .barometer) }
            if bank.isOpen { bank.note(pressure) }
        }
    }

    /// Predicts to the time of a measurement within an inertial interval.
    @inline(__always)
    private mutating func propagate(to time: BootTime, within sample: InertialSample) -> InertialIncrement {
        guard time > filter.state.time else { return .none }
        let part = sample.cut(at: time)
        let increment = filter.propagate(to: part)
        bank.add(part, increment, filter.state)
        return increment
    }

    private mutating func apply(
        _ pose: CameraPose, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: pose.time, within: sample)
        let outcome = filter.apply(pose)
        if !isCounted { updates.add(outcome, of: .odometry, by: pose.source, at: pose.time) }
        return increment
    }

    private mutating func apply(
        _ offer: LocalOffer, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: offer.time, within: sample)
        if offer.showsMotion, bank.isOpen { bank.follow(&filter) }
        let assessed = filter.assess(offer)
        let taken = filter.heading.offersTaken
        let outcome = filter.apply(offer)
        if !isCounted { updates.add(outcome, of: offer.kind, by: offer.source, at: offer.time) }
        // The hypotheses do not have the yaw or the position that the offer has set, so the search ends.
        if filter.heading.offersTaken != taken || outcome == .applied { bank.close() }
        if offer.showsMotion { weigh(assessed, outcome) }
        return increment
    }

    /// Compares the hypotheses by an offer that the filter has not rejected, and by a range even if the filter has
    /// rejected it, because any range may be too long.
    private mutating func weigh(_ assessed: AssessedOffer, _ outcome: UpdateOutcome?) {
        guard let outcome, outcome.verdict != .refused || assessed.offer.kind == .range,
            filter.settings.parts.contains(.hypothesisBank)
        else { return }
        bank.apply(assessed)
        bank.updateByOffer(&filter)
    }

    private mutating func apply(
        _ measured: LocalFix, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: measured.time, within: sample)
        if bank.isOpen { bank.follow(&filter) }
        let assessed = filter.assess(measured)
        let fix = assessed.fix
        let outcome = filter.apply(assessed)
        if !isCounted { updates.add(outcome) }
        bank.apply(assessed)
        let parts = filter.settings.parts
        if filter.gnss.lastAiding == fix.time, parts.contains(.hypothesisBank) { bank.update(&filter) }
        if let pair = filter.heading.motion.pair, pair.time == fix.time, parts.contains(.velocityComparison) {
            monitor.add(pair)
        }
        if let point = filter.trackPoint(fix), parts.contains(.trackComparison) { monitor.add(point) }
        return increment
    }
}

extension FilterTimeline {
    /// Aiding measurement with the time at which it is applied. The time is stored separately: it is read far more
    /// often than the measurement, which is copied when it is read.
    package struct Aid: Sendable, Codable {
        private(set) var time: BootTime
        var kind: Kind
        /// Whether the first application of the measurement is already counted. Stored after the kind, in bytes that
        /// would otherwise be padding.
        var isCounted = false

        /// Whether the measurement may reveal the position of the body.
        var showsPosition: Bool {
            switch kind {
            case .fix, .offer, .camera: true
            case .magnetic, .pressure, .doubt, .matched: false
            }
        }

        /// Whether this measurement is applied before another. Offers with the same time are sorted as well: the ranges
        /// of a tag share one time and arrive in any order, and the result must not depend on the order.
        func isBefore(_ other: Self) -> Bool {
            guard time == other.time else { return time < other.time }
            guard case .offer(let own) = kind, case .offer(let others) = other.kind else {
                return kind.rank < other.kind.rank
            }
            return own.isBefore(others)
        }

        enum Kind: Sendable {
            case fix(LocalFix)
            case magnetic(MagneticSample)
            case pressure(PressureHeight)
            case doubt(HeadingReading)
            case camera(CameraPose)
            case offer(LocalOffer)
            case matched(MatchedPosition)

            /// Order among measurements of the same time. Magnetic samples and heights, which are applied after the
            /// inertial sample, keep their order of arrival.
            var rank: Int {
                switch self {
                case .fix: 0
                case .camera: 1
                case .offer: 2
                case .doubt: 3
                case .magnetic, .pressure: 4
                case .matched: 5
                }
            }
        }
    }
}

extension LocalOffer {
    /// Whether this offer is applied before another offer with the same time: a place comes first, because others
    /// depend on it.
    fileprivate func isBefore(_ other: LocalOffer) -> Bool {
        guard kind == other.kind else { return kind.rawValue < other.kind.rawValue }
        guard source == other.source else { return source.text < other.source.text }
        let (own, others) = (directionInBody, other.directionInBody)
        return (point.x, point.y, point.z, range, own.x, own.y) < (
            other.point.x, other.point.y, other.point.z, other.range, others.x, others.y
        )
    }
}

extension FilterTimeline.Aid.Kind: Codable {
    // Not synthesised, because the layout of a saved state would then describe only one of these members.
    private enum CodingKeys: CodingKey { case fix, magnetic, pressure, doubt, camera, offer, matched }

    func encode(to encoder: any Encoder) throws {
        var (fix, magnetic, pressure, doubt): (LocalFix?, MagneticSample?, PressureHeight?, HeadingReading?)
        var (camera, offer, matched): (CameraPose?, LocalOffer?, MatchedPosition?)
        switch self {
        case .fix(let own): fix = own
        case .magnetic(let own): magnetic = own
        case .pressure(let own): pressure = own
        case .doubt(let own): doubt = own
        case .camera(let own): camera = own
        case .offer(let own): offer = own
        case .matched(let own): matched = own
        }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(fix, forKey: .fix)
        try members.encodeIfPresent(magnetic, forKey: .magnetic)
        try members.encodeIfPresent(pressure, forKey: .pressure)
        try members.encodeIfPresent(doubt, forKey: .doubt)
        try members.encodeIfPresent(camera, forKey: .camera)
        try members.encodeIfPresent(offer, forKey: .offer)
        try members.encodeIfPresent(matched, forKey: .matched)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let kinds = [
            try members.decodeIfPresent(LocalFix.self, forKey: .fix).map(Self.fix),
            try members.decodeIfPresent(MagneticSample.self, forKey: .magnetic).map(Self.magnetic),
            try members.decodeIfPresent(PressureHeight.self, forKey: .pressure).map(Self.pressure),
            try members.decodeIfPresent(HeadingReading.self, forKey: .doubt).map(Self.doubt),
            try members.decodeIfPresent(CameraPose.self, forKey: .camera).map(Self.camera),
            try members.decodeIfPresent(LocalOffer.self, forKey: .offer).map(Self.offer),
            try members.decodeIfPresent(MatchedPosition.self, forKey: .matched).map(Self.matched),
        ]
        guard let kind = kinds.compactMap(\.self).first else { throw StateFlaw.impossible }
        self = kind
    }
}
