import BoardHandling
import Geometry
import Simulation

extension ScoreCondition {
    /// Everything that is played, in the order of the table.
    package static let all: [ScoreCondition] = outdoors + receivers + compasses + inertialSensors + sitting + riding

    /// Outages of a length that follow each other regularly. Unit: seconds.
    private static func outages(of length: Double, from first: Double, every: Double, until end: Double)
        -> [ClosedRange<Double>]
    {
        stride(from: first, to: end - length - 5, by: every).map { $0...($0 + length) }
    }

    private static let outdoors: [ScoreCondition] = [
        ScoreCondition(
            "walk, outages of 30 s", seconds: 300, outages: outages(of: 30, from: 90, every: 70, until: 300)),
        ScoreCondition("walk, outage of 120 s", seconds: 260, outages: [110...230]),
        ScoreCondition("walk, indoors from 90 s", seconds: 240, outages: [90...240]),
        ScoreCondition("walk, one fix, then indoors", seconds: 200, outages: [20...200], changes: [.firstFixAlone]),
        ScoreCondition("walk, no magnetometer, outage", seconds: 240, outages: [170...210]) { $0.magneticRate = 0 },
        ScoreCondition("walk, no magnetometer, no velocity", seconds: 240, changes: [.withoutVelocity]) {
            $0.magneticRate = 0
        },
        ScoreCondition("walk, mounted askew, outage", seconds: 240, outages: [150...190]) {
            $0.wearing = .init(.head, Rotation3.exp(Vector3(-0.4, 0.9, 0.3)))
        },
        ScoreCondition("walk, trouser pocket, indoors from 120 s", seconds: 220, outages: [120...220]) {
            $0.wearing = .init(.trousers, .randomBoardOrientation(seed: $0.seed))
        },
        ScoreCondition(
            "walk, trouser pocket, one fix, then indoors", seconds: 200, outages: [20...200], changes: [.firstFixAlone]
        ) {
            $0.wearing = .init(.trousers, .randomBoardOrientation(seed: $0.seed))
        },
        ScoreCondition("walk, in a bag, indoors from 120 s", seconds: 220, outages: [120...220]) {
            $0.wearing = .init(.bag, .boardUpsideDown)
        },
        ScoreCondition("walk, flat in the hand, indoors from 120 s", seconds: 220, outages: [120...220]) {
            $0.wearing = .init(.hand, .boardFlat)
        },
        ScoreCondition("walk, no barometer, outage", seconds: 220, outages: [150...180]) { $0.pressureRate = 0 },
        ScoreCondition("walk, air pressure steps", seconds: 200, changes: [.pressure(0.8, from: 120)]),
    ]

    private static let receivers: [ScoreCondition] = [
        ScoreCondition("walk, fix every 5 s", seconds: 300, changes: [.oneFixOf(5)]),
        ScoreCondition("walk, no velocity, outage", seconds: 240, outages: [160...190], changes: [.withoutVelocity]),
        ScoreCondition("walk, fixes wander for 300 s", seconds: 300) { $0.errors.gnss = .longLasting },
        ScoreCondition(
            "walk, velocities wander for 60 s", seconds: 300, outages: outages(of: 30, from: 120, every: 90, until: 300)
        ) { $0.errors.gnss = .wanderingVelocity },
        ScoreCondition("walk, errors twice as reported", seconds: 300) { $0.errors.gnss = .understated(by: 2) },
        ScoreCondition("walk, errors three times as reported", seconds: 300) { $0.errors.gnss = .understated(by: 3) },
        ScoreCondition("walk, fixes jump by 15 to 40 m", seconds: 300, changes: [.jumps]),
        ScoreCondition(
            "indoors, a network's fix every 25 s", seconds: 220, changes: [.oneFixOf(25), .withoutVelocity]
        ) {
            $0.wearing = .init(.hand, .boardFlat)
            $0.errors.gnss.positionDrift = Vector3(9, 9, 18)
            $0.errors.gnss.positionTimeConstant = 20
            $0.errors.magnetometer.disturbance = 20
            $0.errors.magnetometer.streetIron = 4
        },
    ]

    private static let compasses: [ScoreCondition] = [
        ScoreCondition("walk, never calibrated", seconds: 200) { $0.errors.magnetometer = .uncalibrated },
        ScoreCondition("walk, never calibrated, no fixes", seconds: 160) {
            $0.errors.magnetometer = .uncalibrated
            $0.fixRate = 0
        },
        ScoreCondition("walk, compass off by 45 degrees", seconds: 200) {
            $0.errors.magnetometer.fieldTurn = .exactly(.pi / 4)
        },
        ScoreCondition("walk, compass off by 180 degrees", seconds: 200) {
            $0.errors.magnetometer.fieldTurn = .exactly(.pi)
        },
    ]

    private static let inertialSensors: [ScoreCondition] = [
        ScoreCondition("walk, inertial stamps 0.1 s late", seconds: 200, changes: [.inertialStamps(late: 0.1)]),
        ScoreCondition(
            "on while walking, gyroscope off by 1 deg/s", seconds: 200,
            changes: [.begins(at: 30), .gyroscopeOffset(degreesPerSecond: 1)]),
        ScoreCondition(
            "walk, gyroscope off by 5 deg/s", seconds: 200, changes: [.gyroscopeOffset(degreesPerSecond: 5)]),
        ScoreCondition(
            "on while walking, gyroscope off by 5 deg/s", seconds: 200,
            changes: [.begins(at: 30), .gyroscopeOffset(degreesPerSecond: 5)]),
        ScoreCondition("walk, gyroscope's scale off by 3 %", seconds: 200, changes: [.gyroscopeScale(0.03)]),
        ScoreCondition("walk, accelerometer off by 0.6 m/s2", seconds: 200, changes: [.accelerometerOffset(0.6)]),
    ]

    private static let sitting: [ScoreCondition] = [
        ScoreCondition("sit, quiet field", seconds: 150) {
            $0.motion = .sit
            $0.errors.magnetometer.disturbance = 0
        },
        ScoreCondition(
            "sit, field bent by 5 uT", seconds: 150, changes: [.field(Vector3(5, 0, 0), from: 0)]
        ) {
            $0.motion = .sit
            $0.errors.magnetometer.disturbance = 0
        },
        ScoreCondition("sit, field bent by 15 uT", seconds: 150, changes: [.field(Vector3(15, 0, 0), from: 0)]) {
            $0.motion = .sit
        },
        ScoreCondition("sit, indoors from 60 s", seconds: 200, outages: [60...200]) { $0.motion = .sit },
        ScoreCondition("sit, never calibrated", seconds: 150) {
            $0.motion = .sit
            $0.errors.magnetometer = .uncalibrated
        },
    ]

    private static let riding: [ScoreCondition] = [
        ScoreCondition(
            "bus, tunnels of 30 s", seconds: 330, outages: outages(of: 30, from: 150, every: 70, until: 330)
        ) {
            $0.motion = .ride
            $0.errors.magnetometer.disturbance = 25
        },
        ScoreCondition(
            "bus, tunnel of 60 s, no magnetometer", seconds: 330,
            outages: outages(of: 60, from: 220, every: 110, until: 330)
        ) {
            $0.motion = .ride
            $0.magneticRate = 0
        },
    ]
}
