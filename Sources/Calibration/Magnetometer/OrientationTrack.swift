import Geometry

/// Attitude by integration of the angular rates alone, relative to an inertial frame that drifts with the gyroscope.
///
/// A gap in the rates starts another segment, with its own frame.
struct OrientationTrack {
    /// Attitude with the number of its segment.
    struct Attitude {
        var rotationStillFromBody: Rotation3
        var segment: Int
    }

    private let rates: [MagneticStore.Sample]
    private var attitudes: [Attitude] = []

    /// - Parameter rates: in order of time. Unit: rad/s.
    init(_ rates: [MagneticStore.Sample]) {
        self.rates = rates
        attitudes.reserveCapacity(rates.count)
        for (index, sample) in rates.enumerated() {
            guard index > 0 else {
                attitudes.append(Attitude(rotationStillFromBody: .identity, segment: 0))
                continue
            }
            let before = rates[index - 1]
            let seconds = sample.time - before.time
            var attitude = attitudes[index - 1]
            if seconds > MagnetometerLimits.trackGap { attitude.segment += 1 }
            attitude.rotationStillFromBody =
                attitude.rotationStillFromBody * .exp(0.5 * seconds * (before.value + sample.value))
            attitudes.append(attitude)
        }
    }

    /// Attitudes at nondecreasing times, in one pass along the track; nil outside of it.
    func attitudes(at times: [Double]) -> [Attitude?] {
        var index = 0
        return times.map { time in
            while index + 1 < rates.count, rates[index + 1].time <= time { index += 1 }
            guard index < rates.count, (time - rates[index].time).magnitude <= MagnetometerLimits.trackGap else {
                return nil
            }
            var attitude = attitudes[index]
            attitude.rotationStillFromBody =
                attitude.rotationStillFromBody * .exp((time - rates[index].time) * rates[index].value)
            return attitude
        }
    }
}
