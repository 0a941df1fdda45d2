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
        let step = filter.finish(sample)
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
        // The hypotheses do not have the yaw or the position that the offer has set.
        if filter.heading.offersTaken != taken || outcome == .applied { bank.close() }
        if offer.showsMotion { weigh(assessed, outcome) }
        return increment
    }

    /// Compares the hypotheses by an offer that the filter has not rejected, or by any range, because any range may be
    /// too long.
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
