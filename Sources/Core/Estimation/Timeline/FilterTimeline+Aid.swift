import Model

/// Order of aiding measurements, and their application to the filter and its hypotheses.
extension FilterTimeline {
    /// Time for which a late offer waits for other late offers: 0.2 s. Unit: ns.
    private static let patienceNanoseconds: Int64 = 200_000_000
    /// Longest interval between fixes for which two late fixes share one repetition. Unit: seconds.
    private static let sharingInterval = 0.15
    /// Largest delay at which a magnetic sample is simply applied at the next step. Unit: seconds.
    private static let magneticGrace = 0.01

    /// Inserts a fix; returns false if it is too old.
    ///
    /// A fix of a fast receiver that is late by two intervals or more waits for the next fix, so that both are applied
    /// in one repetition. On average this makes it later by half an interval.
    package mutating func insert(_ fix: LocalFix) -> Bool {
        let interval = expect(after: fix.time)
        let isFirst = repeatFrom == nil
        guard insert(Aid(time: fix.time, kind: .fix(fix))) else { return false }
        let now = filter.state.time
        guard isFirst, let interval, interval <= Self.sharingInterval, now.seconds(since: fix.time) >= 2 * interval
        else { return true }
        // The next fix arrives after an interval, give or take the jitter of its latency.
        sharing = now.shifted(by: Int64(1.5e9 * interval))
        return true
    }

    /// Inserts a magnetic sample; returns false if it is too old.
    package mutating func insert(_ sample: MagneticSample) -> Bool {
        let delay = filter.state.time.seconds(since: sample.time)
        let isHardlyLate = delay >= 0 && delay <= Self.magneticGrace
        let time = isHardlyLate ? filter.state.time.shifted(by: 1) : sample.time
        return insert(Aid(time: time, kind: .magnetic(sample)))
    }

    /// Inserts a height from air pressure; returns false if it is too old.
    package mutating func insert(_ sample: PressureHeight) -> Bool {
        insert(Aid(time: sample.time, kind: .pressure(sample)))
    }

    /// Inserts the pose of a camera; returns false if it is too old.
    package mutating func insert(_ pose: CameraPose) -> Bool {
        expect(after: pose.time)
        return insert(Aid(time: pose.time, kind: .camera(pose)))
    }

    /// Inserts an offer from another program; returns false if it is too old.
    ///
    /// Late offers from all sources are collected for up to 0.2 s and then applied together.
    package mutating func insert(_ offer: LocalOffer) -> Bool {
        let (pending, before) = (repeatFrom, patience)
        guard insert(Aid(time: offer.time, kind: .offer(offer))) else { return false }
        guard repeatFrom != nil else { return true }
        patience = pending == nil ? filter.state.time.shifted(by: Self.patienceNanoseconds) : before
        return true
    }

    mutating func insert(_ aid: Aid) -> Bool {
        patience = nil
        forgetUnreachable()
        let oldest = snapshots[0].state.time
        guard aid.time > oldest else { return false }
        if aid.showsPosition, aid.time <= filter.state.time { forgetMatched(after: aid.time) }
        forgetOldAids(before: oldest)
        if aids.append(aid) { nextAid = max(0, nextAid - 1) }
        var index = aids.count - 1
        while index > 0, aids[index - 1].time >= aid.time, aid.isBefore(aids[index - 1]) {
            aids[index] = aids[index - 1]
            index -= 1
        }
        aids[index] = aid
        if aid.time <= filter.state.time {
            sharing = nil
            repeatFrom = repeatFrom.map { min($0, aid.time) } ?? aid.time
            nextAid += 1
        }
        return true
    }

    private mutating func forgetOldAids(before time: BootTime) {
        while nextAid > 0, !aids.isEmpty, aids[0].time < time {
            aids.removeFirst()
            nextAid -= 1
        }
    }

    /// Applies a magnetic sample or a height, after the inertial sample to which it belongs.
    @inline(__always)
    mutating func applyField(_ index: Int) {
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

    mutating func apply(_ pose: CameraPose, isCounted: Bool) {
        let outcome = filter.apply(pose)
        if !isCounted { updates.add(outcome, of: .odometry, by: pose.source, at: pose.time) }
    }

    mutating func apply(_ offer: LocalOffer, isCounted: Bool) {
        if offer.showsMotion, bank.isOpen { bank.follow(&filter) }
        let assessed = filter.assess(offer)
        let taken = filter.heading.offersTaken
        let outcome = filter.apply(offer)
        if !isCounted { updates.add(outcome, of: offer.kind, by: offer.source, at: offer.time) }
        // The offer has set a yaw or a position that the hypotheses lack, so the search ends.
        if filter.heading.offersTaken != taken || outcome == .applied { bank.close() }
        if offer.showsMotion { weigh(assessed, outcome) }
    }

    /// Uses an offer to compare the hypotheses, unless the filter has rejected it. A range is used even if it was
    /// rejected, because any range may be too long.
    private mutating func weigh(_ assessed: AssessedOffer, _ outcome: UpdateOutcome?) {
        guard let outcome, outcome.verdict != .refused || assessed.offer.kind == .range,
            filter.settings.parts.contains(.hypothesisBank)
        else { return }
        bank.apply(assessed)
        // The weights are not updated at every offer, because frequent offers have correlated errors.
        if bank.search.isDue(at: filter.state.time) { bank.update(&filter) }
    }

    mutating func apply(_ measured: LocalFix, isCounted: Bool) {
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
    }
}

extension FilterTimeline.Aid {
    /// Whether the measurement may contain information about the position of the body.
    var showsPosition: Bool {
        switch kind {
        case .fix, .offer, .camera: true
        case .magnetic, .pressure, .doubt, .matched: false
        }
    }

    /// Whether this measurement is applied before another. Even offers with the same time are sorted, because the
    /// ranges of a tag share one time and arrive in any order, on which the result must not depend.
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

        /// Position in the order of measurements with the same time. Magnetic samples and heights are applied after the
        /// inertial sample, and keep their order of arrival.
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

extension LocalOffer {
    /// Whether this offer is applied before another offer with the same time. A place comes first, because other offers
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
    // The keys are not synthesised, because the layout of a saved state would then describe only one of these members.
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
