import Measurements

/// What is said of a rest.
struct GyroscopeVerdict {
    let session: GyroscopeSession
    let bias: GyroscopeBias?

    var verdict: CalibrationVerdict {
        channel ?? movement ?? silence ?? shortness ?? .accepted(sentence)
    }

    private var channel: CalibrationVerdict? {
        guard session.check.samples > 0 else {
            return .refused(.noSamples, "No gyroscope samples: see `waymark devices`.")
        }
        return session.check.problem(sensor: "gyroscope")
    }

    private func angle(_ radians: Double, _ unit: String) -> String {
        "\((radians * 180 / .pi).figure(digits: 2)) \(unit)"
    }

    private func rate(_ rate: Double) -> String { session.hasScale ? angle(rate, "°/s") : "\(rate.figure) counts" }

    private var movement: CalibrationVerdict? {
        guard let movement = session.movement else { return nil }
        let advice = "Put the board on a firm surface, do not touch it, and start again."
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
            return .refused(.moved, "The board swayed all the time, as if held in a hand. \(advice)")
        case .turns(let radians):
            return .refused(
                .moved,
                "The board rotated slowly all the time, by \(angle(radians, "°")) in total. \(advice)")
        case .spins(let most):
            return .refused(.moved, "The board rotated at \(rate(most)) all the time, more than any bias. \(advice)")
        }
    }

    private var silence: CalibrationVerdict? {
        guard let begin = session.begin, let last = session.last, let lastRate = session.lastRate else { return nil }
        let advice = "Check its connection, and start again."
        if last.seconds(since: lastRate) > GyroscopeLimits.longestGap {
            let after = lastRate.seconds(since: begin).figure
            return .refused(.silent, "The gyroscope samples stopped \(after) s after the start. \(advice)")
        }
        guard let gap = session.gap else { return nil }
        let after = gap.since.seconds(since: begin).figure
        return .refused(
            .silent, "No gyroscope samples for \(gap.seconds.figure) s, \(after) s after the start. \(advice)")
    }

    private var shortness: CalibrationVerdict? {
        guard bias == nil || session.restSeconds < GyroscopeLimits.leastSeconds * 0.99 else { return nil }
        return .refused(
            .tooFewSamples,
            "Only \(session.restSeconds.figure(digits: 2)) s at rest were measured: keep the board at rest for at "
                + "least \(Int(GyroscopeLimits.leastSeconds)) s.")
    }

    private var sentence: String {
        guard let bias else { return "" }
        let known =
            "The bias is known to \(rate(bias.meanDeviation)) after \(session.restSeconds.figure(digits: 2)) s of rest"
        guard session.hasScale else { return known + "." }
        return known + ": without aiding the heading error is \(angle(bias.headingError, "°")) after a minute."
    }
}
