import Geometry
import Glibc
import Model
import Scene
import Testing

/// What tests of the scene frame share: a place, poses that are enough for it, fixes.
enum FrameSamples {
    static let generation: UInt32 = 1

    static func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64((seconds * 1e9).rounded())) }

    static func zurich(height: Double = 455) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: height))
    }

    static func pose(
        _ seconds: Double, at position: Vector3 = .zero, generation: UInt32 = FrameSamples.generation,
        state: TrackingState = .localized, reasons: LimitingReasons = [], geodetic: GeodeticPosition? = nil,
        accuracy: PoseAccuracy = PoseAccuracy(horizontal: 3, vertical: 4, yaw: 0.05)
    ) -> PoseEstimate {
        PoseEstimate(
            time: time(seconds), generation: generation, rotationSceneFromBody: .identity, positionInScene: position,
            velocityInScene: .zero, angularVelocityInBody: .zero, rotationENUFromBody: .identity, velocityENU: nil,
            geodetic: geodetic, headingReference: .trueNorth, accuracy: accuracy, orientationTracking: .tracked,
            positionTracking: .tracked, state: state, reasons: reasons, sources: [])
    }

    static func estimate(
        _ seconds: Double, at position: GeodeticPosition, accuracy: Double?, inScene point: Vector3 = .zero,
        distance: Double = 0, generation: UInt32 = FrameSamples.generation
    ) -> PositionFixEstimate {
        PositionFixEstimate(
            epoch: time(seconds), generation: generation, position: position, accuracy: accuracy,
            positionInScene: point, distance: distance)
    }

    static func fix(
        epoch: Double, arrival: Double, at position: GeodeticPosition, sigma: Double? = 2, arm: Vector3 = .zero
    ) -> GNSSFix {
        GNSSFix(
            epoch: time(epoch), arrival: time(arrival), utcSeconds: nil, position: position, hasHeight: true,
            velocityENU: .init(east: nil, north: nil, up: nil),
            positionSigma: .init(east: sigma, north: sigma, up: sigma), velocitySigma: nil, antennaInBody: arm)
    }

    /// A map whose scene axes are turned by a yaw against the earth's.
    static func map(yaw: Double = 0, origin: GeodeticPosition) -> SceneMap {
        SceneMap(
            plane: LocalTangentPlane(origin: origin), alignment: SceneAlignment(yaw: yaw, translation: .zero))
    }

    static func viewpoint(
        map: SceneMap, at point: Vector3 = .zero, hasHeight: Bool = true, separation: Double? = nil
    ) throws -> Viewpoint {
        var geoid = ReceiverGeoid()
        geoid.learn(separation)
        return Viewpoint(
            time: time(0), generation: generation, positionInScene: point, rotationSceneFromBody: .identity,
            velocityInScene: .zero, map: map, position: try #require(map.position(ofScene: point)),
            horizontalAccuracy: 3, yawStandardDeviation: 0.05, hasHeight: hasHeight, geoid: geoid)
    }
}
