import Bridges
import Geometry
import Linux
import Model
import Service
import TestTools

/// The daemon's pose ring and an output of the bridge on one reactor, which runs while a test waits for something.
final class BridgeScene {
    let reactor: Reactor
    let poses: PoseSource
    let folder = ScratchFolder()
    /// Whether poses of the present keep coming.
    var isPublishing = true
    private let ring: PoseRingService

    static let orientation = Rotation3.exp(Vector3(0, 0.5, 0))
    private static let interval: Int64 = 10_000_000

    init() throws {
        reactor = try Reactor()
        let path = folder.path + "/ring"
        ring = PoseRingService(
            reactor, listeners: [try UnixListener(path: path, kind: .packets, mode: 0o600)],
            limit: ShareLimit(all: 4, ofUser: 4, reserve: 0))
        poses = PoseSource(path: path)
        reactor.every(Self.interval) { [unowned self] in
            if isPublishing { ring.writer?.write(Self.pose(), utcOffset: 0, terms: nil) }
        }
    }

    deinit { ring.end() }

    /// Number of clients that hold the ring.
    var holders: Int { ring.message?.clients ?? 0 }

    func settle(_ condition: () -> Bool) -> Bool { reactor.settle(condition) }

    private static func pose() -> PoseEstimate {
        PoseEstimate(
            time: BootTime(nanoseconds: BootClock.nanoseconds), generation: 1,
            rotationSceneFromBody: orientation, positionInScene: Vector3(10, 1.5, -20),
            velocityInScene: Vector3(0, 0, -1.5), accelerationInScene: Vector3(0, 0, 0),
            angularVelocityInBody: Vector3(0, 0, 0),
            rotationENUFromBody: Rotation3.exp(Vector3(.pi / 2, 0, 0)) * orientation, velocityENU: Vector3(0, 1.5, 0),
            geodetic: GeodeticPosition(latitudeDegrees: -33.5, longitudeDegrees: 151.25, ellipsoidalHeight: 60),
            headingReference: .trueNorth,
            accuracy: PoseAccuracy(
                horizontal: 3, vertical: 5, yaw: 0.1, velocityHorizontal: 0.2, velocityVertical: 0.1,
                angularVelocity: 0.01),
            orientationTracking: .tracked, positionTracking: .tracked, state: .localized, reasons: [],
            sources: [.inertial, .gnssPosition], motion: MotionEstimate(kind: .onFoot, probability: 0.9))
    }
}

/// Lines that a client has been sent, without their ends.
final class ReceivedLines {
    private(set) var lines: [String] = []
    private var rest: [UInt8] = []

    func take(_ bytes: [UInt8]?) {
        rest += bytes ?? []
        while let end = rest.firstIndex(of: 10) {
            lines.append(String(decoding: rest[..<end].filter { $0 != 13 }, as: UTF8.self))
            rest.removeSubrange(...end)
        }
    }
}
