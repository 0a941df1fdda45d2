import Model

struct GyroscopeVerdict {
    let session: GyroscopeSession
    let bias: GyroscopeBias?

    var verdict: CalibrationVerdict {
        channel ?? movement ?? silence ?? shortness ?? .accepted(sentence)
    }

    private var channel: CalibrationVerdict? {
        guard session.check.samples > 0 else {
            return .refused(.noSamples, "No samples from the gyroscope: see `waymark devices`.")
        }
        return session.check.problem(sensor: "gyroscope")
    }

    private func angle(_ radians: Double, _ unit: String) -> String { "\(radians.degreeFigure) \(unit)" }

    private func rate(_ rate: Double) -> String { session.hasScale ? angle(rate, "°/s") : "\(rate.figure) counts" }

    private var movement: CalibrationVerdict? {
        guard let movement = session.movement else { return nil }
        let advice = "Place the board on a firm surface, do not touch it, and try again."
        switch movement {
        case .always:
            return .refused(.moved, "The board was never at rest. \(advice)")
        case .at(let begin, let seconds, let most):
            return .refused(
                .moved,
                "The board moved \(begin.figure) s after the start for \(seconds.figure) s, by up to \(rate(most)). "
                    + "\(advice)"
            )
        case .sways:
            return .refused(.moved, "The board swayed throughout, as in a hand. \(advice)")
        case .turns(let radians):
            return .refused(.moved, "The board turned slowly throughout, by \(angle(radians, "°")) in total. \(advice)")
        case .spins(let most):
            return .refused(.moved, "The board turned at \(rate(most)) throughout, more than any bias. \(advice)")
        }
    }

    private var silence: CalibrationVerdict? {
        guard let begin = session.begin, let last = session.last, let lastRate = session.lastRate else { return nil }
        let advice = "Check its connection, and try again."
        if last.seconds(since: lastRate) > GyroscopeLimits.maximumGap {
            let after = lastRate.seconds(since: begin).figure
            return .refused(.silent, "The gyroscope stopped \(after) s after the start. \(advice)")
        }
        guard let gap = session.gap else { return nil }
        let after = gap.since.seconds(since: begin).figure
        return .refused(
            .silent, "No samples from the gyroscope for \(gap.seconds.figure) s, \(after) s after the start. \(advice)")
    }

    private var shortness: CalibrationVerdict? {
        guard bias == nil || session.restSeconds < GyroscopeLimits.minimumSeconds * 0.99 else { return nil }
        return .refused(
            .tooFewSamples,
            "Only \(session.restSeconds.figure(digits: 2)) s at rest: keep the board still for at least "
                + "\(Int(GyroscopeLimits.minimumSeconds)) s.")
    }

    private var sentence: String {
        guard let bias else { return "" }
        let known =
            "Bias known to \(rate(bias.meanDeviation)) after \(session.restSeconds.figure(digits: 2)) s at rest"
        let repeated =
            RepeatedSamples.clause([("gyroscope", session.rateRepeats), ("accelerometer", session.forceRepeats)])
            .map { "; \($0)" } ?? ""
        guard session.hasScale else { return "\(known)\(repeated)." }
        return known + "; predicted heading error after a minute without aiding \(angle(bias.headingError, "°"))"
            + "\(repeated)."
    }
}
