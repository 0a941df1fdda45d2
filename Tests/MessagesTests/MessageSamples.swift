import Calibration
import Documents
import Geometry
import Model
import Scene
import Testing

/// One of each kind, with numbers that need rounding.
enum MessageSamples {
    static let position = GeodeticPosition(
        latitudeDegrees: 47.001234567891, longitudeDegrees: 8.1, ellipsoidalHeight: 400.12345678)

    static var frame: FrameEstimate {
        var frame = FrameEstimate(
            generation: 2, origin: position,
            published: SceneAlignment(yaw: 0.1, translation: Vector3(1, 2.00000049, -3)),
            target: SceneAlignment(yaw: -0.2, translation: Vector3(0.1, 0.2, 0.3)),
            slewEnd: BootTime(nanoseconds: 99_000_000_001),
            before: SceneAlignment(yaw: 0.12345678, translation: Vector3(4, 5, 6)),
            causes: [FrameCauses(.headingMonitor), FrameCauses(.gnssPosition)], mainCause: .headingMonitor)
        frame.horizontalAccuracy = 2.3456789
        frame.yawAccuracy = 0.1
        return frame
    }

    static var correction: FrameCorrection {
        let time = BootTime(nanoseconds: 5_000_000_007)
        let reading = HeadingReading(
            time: time, correction: 0.1, standardDeviation: 0.02, pairs: 7,
            velocities: HeadingPairs(count: 4, correction: 0.3, standardDeviation: 0.1),
            positions: HeadingPairs(count: 3, correction: nil, standardDeviation: 0.2), yaw: 1)
        return FrameCorrection(frame, at: time, wearer: Vector3(1, 2, 3), monitor: reading)
    }

    static var timedEvents: [TimedEvent] {
        let turn = RouteTurn(alongRoute: 50, angle: 1)
        let happened: [SceneEvent] = [
            .proximity(ProximityEvent(kind: .entered, id: "a", name: "A \"b\"", distance: 12.34)),
            .proximity(ProximityEvent(kind: .left, id: "a", name: "", distance: .nan)),
            .announcement(Announcement(kind: .turn, routeID: "r", name: "Home", distance: 40, side: .left, grade: 1)),
            .announcement(Announcement(kind: .backOnRoute, routeID: "r", name: "Home")),
            .turnAhead(TurnAhead(routeID: "r", turn: turn, distance: 99)), .route(id: "r", state: .offRoute),
            .route(id: "r", state: .following), .route(id: "r", state: .arrived), .correction(correction),
            .readiness(FrameReadiness(state: .lost, reasons: [.poorGNSS, .settling])), .anchorLost(id: "x"),
            .anchorMoved(id: "y", distance: 12.34),
        ]
        return happened.map { TimedEvent(time: BootTime(nanoseconds: 5_000_000_007), event: $0) }
    }

    static var events: [PublishedEvent] {
        timedEvents.enumerated().map { PublishedEvent(sequence: 5_000_000 + Int64($0), $1) }
    }

    /// The first placement of each kind along a stroll; kinds that it has none of are made of another.
    static func scene() throws -> SceneUpdate {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0.03)
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5), radarRange: 300)
        for event in timedEvents.prefix(2) { view.events.add(event) }
        var update = try #require(view.update(to: try stroll.scene(1200), settings: SceneSettings().placements))
        let kinds: [Placement.Kind] = [
            .place, .cluster, .route, .arrow, .node, .start, .turn, .destination, .anchor,
        ]
        let all = update.changed
        update.changed = kinds.compactMap { kind in
            var placement = all.first { $0.placement.kind == kind } ?? all.first
            placement?.placement.kind = kind
            return placement
        }
        update.changed[3].placement.maneuver = .roundabout
        update.changed[3].placement.side = .right
        update.changed[1].placement.members = ["place/a", "place/b"]
        update.changed[8].placement.lock = .head
        update.removed = ["place/old"]
        update.eventsDropped = 2
        update.missed = 3
        update.left = 4
        return update
    }

    static func estimate() throws -> PairedEstimate {
        let stroll = try Stroll(speed: 0, mapSpeed: 0)
        let here = try #require(stroll.plane.position(ofENU: Vector3(3, 4, 1.6)))
        let map = SceneMap(plane: stroll.plane, alignment: SceneAlignment(yaw: 0.01, translation: Vector3(1, 2, 0)))
        let viewpoint = Viewpoint(
            time: Samples.pose.time, generation: 3, positionInScene: Vector3(1, 2, 3),
            rotationSceneFromBody: .identity, velocityInScene: .zero, map: map, position: here, horizontalAccuracy: 2,
            yawStandardDeviation: 0.03)
        let fix = ClientFix(position: here, hasHeight: true, horizontalAccuracy: 1.5, offsetInBody: Vector3(0, 1, 0))
        return try #require(
            PairedEstimate(
                fix, pose: Samples.pose, now: viewpoint, verticalAccuracy: 3.21, settings: SceneSettings().frame))
    }

    static var progress: CalibrationProgress {
        var progress = CalibrationProgress(instruction: .turnThroughDirections, fraction: 0.123456, seconds: 2.0005)
        var coverage = SphereCoverage()
        for region in [0, 63, 64, 99] { coverage.insert(region: region) }
        progress.coverage = coverage
        progress.poses = [Vector3(0, 1, 0), Vector3(.nan, 0, 0)]
        progress.direction = Vector3(0.123456, -0.5, 0.7)
        progress.missing = Vector3(0, 0, -1)
        progress.predictedTiltError = .pi / 360
        return progress
    }

    static var result: CalibrationResult {
        var result = CalibrationResult(kind: .accelerometer, verdict: .accepted("good"), residualUnit: "rad")
        result.fits = [
            SensorFit(sensor: .gyroscope, bias: Vector3(1e-17, 0, 0)),
            SensorFit(
                sensor: .accelerometer, correction: (1.0 / 3) * Matrix<3, 3>.identity,
                bias: Vector3(0.1 + 0.2, -1, 2e9)),
        ]
        result.residualRMS = 0.01
        result.predictedHeadingError = .pi / 180
        result.poses = 6
        result.temperature = 31.256
        result.samples = 1234
        result.seconds = 61.2345
        let point = AllanPoint(tau: 1, deviation: 0.001, uncertainty: 0.02)
        var noise = AxisNoise(randomWalk: 0.001, curve: [point])
        noise.uncertainties.randomWalk = 0.1
        result.noise = Array(repeating: noise, count: 6)
        return result
    }

    static var record: CalibrationRecord {
        var record = CalibrationRecord(time: 1_782_000_000.5, origin: .online, kind: .magnetometer, residualUnit: "µT")
        record.version = "1.2"
        record.fit = SensorFit(sensor: .magnetometer, bias: Vector3(1.5, -2, 0.1))
        record.residualRMS = 0.7
        record.predictedHeadingError = 0.02
        record.coverage = 0.876
        record.samples = 77
        record.mountMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        record.noise = result.noise
        return record
    }

    static func device() throws -> CalibratedDevice { CalibratedDevice(name: "icm20948", serial: "1") }
}
