import Geometry
import Messages
import Model
import Documents
import WaymarkInterface

extension TrackSample {
    /// Point of a published pose; nil if its time is invalid.
    init?(_ pose: PoseInterface.Pose, _ reference: RunningTrackReference, _ north: inout SceneNorth) {
        guard let nanoseconds = pose.time.nanoseconds else { return nil }
        let time = BootTime(nanoseconds: nanoseconds)
        self.init(time: time, utc: pose.utc?.nanoseconds ?? reference.present.utc(time))
        if let geo = pose.geo, pose.tracking.position != .invalid {
            position = reference.present.position(
                latitude: geo.latitude, longitude: geo.longitude, height: geo.height)
        }
        let accuracy = pose.accuracy
        standardDeviation = TrackDeviation(
            horizontalAccuracy: accuracy.horizontalAccuracy, verticalAccuracy: accuracy.verticalAccuracy)
        isDeadReckoned = !pose.sources.contains(.gnssPosition)
        let turn = pose.orientation
        guard pose.tracking.orientation != .invalid,
            let rotation = Rotation3(w: turn.w, x: turn.x, y: turn.y, z: turn.z)
        else { return }
        if pose.tracking.position != .invalid {
            scenePose = ScenePose(
                generation: UInt32(clamping: pose.generation), position: Vector3(pose.position),
                rotationSceneFromBody: rotation)
        }
        guard let rotationENUFromScene = north.rotationENUFromScene(pose, rotation)
        else { return }
        rotationENUFromBody = rotationENUFromScene * rotation
        yawAccuracyDegrees = accuracy.orientationYawAccuracy.flatMap(Self.inRange)
        if position != nil { velocityENU = Self.velocity(rotationENUFromScene * Vector3(pose.linearVelocity)) }
    }

    /// Point of an estimator's pose.
    init(_ pose: PoseEstimate, _ reference: RunningTrackReference) {
        self.init(time: pose.time, utc: reference.present.utc(pose.time))
        if let geodetic = pose.geodetic, pose.positionTracking != .invalid {
            position = reference.present.position(
                latitude: geodetic.latitudeDegrees, longitude: geodetic.longitudeDegrees,
                height: geodetic.ellipsoidalHeight)
        }
        standardDeviation = TrackDeviation(
            horizontalAccuracy: pose.accuracy.horizontal, verticalAccuracy: pose.accuracy.vertical)
        isDeadReckoned = !pose.sources.contains(.gnssPosition)
        guard pose.orientationTracking != .invalid else { return }
        if pose.positionTracking != .invalid {
            scenePose = ScenePose(
                generation: pose.generation, position: pose.positionInScene,
                rotationSceneFromBody: pose.rotationSceneFromBody)
        }
        guard pose.headingReference == .trueNorth else { return }
        rotationENUFromBody = pose.rotationENUFromBody
        yawAccuracyDegrees = pose.accuracy.yaw.map(Angle.degrees(radians:)).flatMap(Self.inRange)
        if position != nil, let velocity = pose.velocityENU { velocityENU = Self.velocity(velocity) }
    }

    /// Point of a fix.
    init(_ fix: GNSSFix, _ reference: TrackReference) {
        let ownUTC = fix.utcSeconds.flatMap { Int64(exactly: ($0 * 1e9).rounded()) }
        self.init(time: fix.epoch, utc: ownUTC ?? reference.utc(fix.epoch))
        let place = fix.position
        position = reference.position(
            latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
            height: fix.hasHeight ? place.ellipsoidalHeight : nil)
        standardDeviation = TrackDeviation(
            east: fix.positionSigma.east, north: fix.positionSigma.north, up: fix.positionSigma.up)
        velocityENU = fix.velocityENU
    }

    /// The value; nil if no wearer moves so fast. Only a damaged recording has such values.
    private static func inRange(_ value: Double) -> Double? {
        value.magnitude <= MeasurementRange.speed ? value : nil
    }

    private static func velocity(_ velocity: Vector3) -> GNSSFix.VelocityENU {
        GNSSFix.VelocityENU(east: inRange(velocity.x), north: inRange(velocity.y), up: inRange(velocity.z))
    }
}
