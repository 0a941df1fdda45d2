import Geometry
import Measurements

/// Last few angular rates and accelerations, and their variation.
struct RecentMotion: Sendable {
    private struct Moment {
        /// Centre of the interval over which the rate is the mean.
        var middle: BootTime
        var rate: Vector3
        /// Frame: scene. Unit: m/s².
        var acceleration: Vector3
        /// Angular acceleration over the moments before. Frame: scene. Unit: rad/s².
        var angularAcceleration: Vector3
    }

    private var moments = Ring<Moment>(capacity: 64)
    private var latest: BootTime?
    private(set) var turning = Restlessness()
    private(set) var moving = Restlessness()

    /// Age of the rates that the line is fitted to, their least number, and their largest age. Units: seconds, 1,
    /// seconds. Origin: the best on recorded heads and hands at 286 Hz; shorter windows are all noise.
    static let window = 0.010
    private static let leastCount = 3
    private static let oldest = 0.045

    mutating func add(_ pose: PoseEstimate) {
        let interval = latest.map { pose.time.seconds(since: $0) } ?? 0
        latest = pose.time
        if interval > Self.oldest { moments.removeAll() }
        let middle = pose.time.shifted(by: -Int64(0.5e9 * min(interval, Self.oldest)))
        var moment = Moment(
            middle: middle, rate: pose.angularVelocityInBody, acceleration: pose.accelerationInScene,
            angularAcceleration: .zero)
        if let first = moments.first, middle > first.middle {
            let span = middle.seconds(since: first.middle)
            moment.angularAcceleration = pose.rotationSceneFromBody * ((moment.rate - first.rate) / span)
            let jerk = (moment.angularAcceleration - first.angularAcceleration) / span
            turning.add(moment.angularAcceleration, change: jerk, over: interval)
            moving.add(moment.acceleration, change: (moment.acceleration - first.acceleration) / span, over: interval)
        }
        moments.append(moment)
        forgetOld(at: pose.time)
    }

    private mutating func forgetOld(at time: BootTime) {
        while let first = moments.first {
            let age = time.seconds(since: first.middle)
            let isNeeded = age <= Self.window || (moments.count <= Self.leastCount && age <= Self.oldest)
            guard !isNeeded, moments.count > 1 else { return }
            moments.removeFirst()
        }
    }

    /// Mean acceleration of the last moments. Frame: scene. Unit: m/s².
    var meanAcceleration: Vector3 {
        var sum = Vector3.zero
        for index in 0..<moments.count { sum += moments[index].acceleration }
        return moments.isEmpty ? .zero : sum / Double(moments.count)
    }

    /// Straight line fitted to the last rates, at the time of the pose. Frame: body. Units: rad/s, rad/s².
    func line(to pose: PoseEstimate) -> (rate: Vector3, acceleration: Vector3) {
        let count = Double(moments.count)
        guard moments.count > 1 else { return (pose.angularVelocityInBody, .zero) }
        var (ages, rates) = (0.0, Vector3.zero)
        for index in 0..<moments.count {
            ages += pose.time.seconds(since: moments[index].middle)
            rates += moments[index].rate
        }
        let (meanAge, meanRate) = (ages / count, rates / count)
        var (square, product) = (0.0, Vector3.zero)
        for index in 0..<moments.count {
            let distance = meanAge - pose.time.seconds(since: moments[index].middle)
            square += distance * distance
            product += (moments[index].rate - meanRate) * distance
        }
        guard square > 0 else { return (pose.angularVelocityInBody, .zero) }
        let acceleration = product / square
        return (meanRate + acceleration * meanAge, acceleration)
    }
}
