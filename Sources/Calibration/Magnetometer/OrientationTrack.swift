import Geometry

/// The orientation against a frame that keeps still but for the gyroscope's drift, by its rates alone.
///
/// A gap in the rates starts another stretch, with a frame of its own.
struct OrientationTrack {
    struct Attitude {
        var rotationStillFromBody: Rotation3
        var stretch: Int
    }

    private let rates: [MagneticStore.Sample]
    private var attitudes: [Attitude] = []

    /// - Parameter rates: in the order of time, in rad/s.
    init(_ rates: [MagneticStore.Sample]) {
        self.rates = rates
        attitudes.reserveCapacity(rates.count)
        for (index, sample) in rates.enumerated() {
            guard index > 0 else {
                attitudes.append(Attitude(rotationStillFromBody: .identity, stretch: 0))
                continue
            }
            let before = rates[index - 1]
            let seconds = sample.time - before.time
            var attitude = attitudes[index - 1]
            if seconds > MagnetometerLimits.trackGap { attitude.stretch += 1 }
            attitude.rotationStillFromBody =
                attitude.rotationStillFromBody * .exp(0.5 * seconds * (before.value + sample.value))
            attitudes.append(attitude)
        }
    }

    /// At times that do not fall, by one walk along the track; nil outside of it.
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
