import Geometry
import Measurements

/// Whether the two sensors that a mount is found by deliver what can be used.
struct SensorWatch: Hashable, Sendable {
    private var force = ChannelCheck()
    private var rate = ChannelCheck()
    private var first: BootTime?
    private var latest: BootTime?
    private var latestForce: BootTime?
    private var latestRate: BootTime?

    /// Without a sample for so long while others come, a sensor is silent. Unit: seconds.
    private static let silence = 1.0

    mutating func see(_ measurement: Measurement) {
        let time = measurement.arrival
        switch measurement {
        case .specificForce(let sample):
            force.add(sample.force)
            latestForce = time
        case .angularRate(let sample):
            rate.add(sample.rate)
            latestRate = time
        default: break
        }
        if first == nil { first = time }
        latest = max(latest ?? time, time)
    }

    /// Unit: seconds.
    var seconds: Double {
        guard let first, let latest else { return 0 }
        return max(0, latest.seconds(since: first))
    }

    var problem: CalibrationVerdict? {
        if force.samples == 0 || rate.samples == 0 {
            let missing =
                force.samples == 0 ? (rate.samples == 0 ? "accelerometer or gyroscope" : "accelerometer") : "gyroscope"
            return .refused(
                .noSamples, "No samples of the \(missing): both sensors are needed. Check that the board is connected.")
        }
        return force.problem(sensor: "accelerometer") ?? rate.problem(sensor: "gyroscope") ?? silenceProblem
    }

    private var silenceProblem: CalibrationVerdict? {
        guard let latest, let latestForce, let latestRate else { return nil }
        for (name, time) in [("accelerometer", latestForce), ("gyroscope", latestRate)] {
            guard latest.seconds(since: time) > Self.silence else { continue }
            return .refused(.silent, "The \(name) samples stopped: check the board's connection, and start again.")
        }
        return nil
    }
}
