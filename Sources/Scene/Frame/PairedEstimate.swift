import Geodesy
import Geometry
import Model

/// A geodetic position that a client has found by its own means, of one moment.
public struct ClientFix: Hashable, Sendable {
    public var position: GeodeticPosition
    /// Whether the height of `position` is known, above the ellipsoid.
    public var hasHeight: Bool
    /// Radius of 68 %. Unit: metres.
    public var horizontalAccuracy: Double
    /// Of what the position is of: from the board. Frame: body. Unit: metres.
    public var offsetInBody: Vector3

    public init(
        position: GeodeticPosition, hasHeight: Bool, horizontalAccuracy: Double, offsetInBody: Vector3 = .zero
    ) {
        self.position = position
        self.hasHeight = hasHeight
        self.horizontalAccuracy = horizontalAccuracy
        self.offsetInBody = offsetInBody
    }
}

/// A client's own fix beside the pose of its moment, both by the alignment that is published now.
///
/// It corrects nothing: the client decides what to make of the difference.
public struct PairedEstimate: Hashable, Sendable {
    /// Of what the fix is of, by the pose of then. Frame: scene. Unit: metres.
    public var pointInScene: Vector3
    /// Of the same, and how well that is known: radius of 68 %, and of the height; nil is not known. Unit: metres.
    public var position: GeodeticPosition
    public var horizontalAccuracy: Double?
    public var verticalAccuracy: Double?
    /// Where the fix lies; at the height of `pointInScene` where it has none. Frame: scene. Unit: metres.
    public var fixInScene: Vector3
    /// From `pointInScene` to `fixInScene`. Frame: east, north, up there. Unit: metres.
    public var difference: Vector3
    /// Whether the heights can be compared.
    public var hasHeight: Bool
    /// The horizontal difference, in standard deviations of an axis of both together, taken as independent: beyond 3 one
    /// of the two is wrong by more than it claims in 99 of 100 cases. Nil where an accuracy is not known.
    public var deviations: Double?

    /// Over a longer way east, north and up of one place no longer measure what is over ground; on the other side of the
    /// earth they even become small again. Unit: metres.
    private static let farthest = 1_000_000.0

    /// Nil for a fix that is nowhere near: more than 1000 km away.
    ///
    /// The accuracy is that of now, grown by what the way since then may have added, as for `CurrentPosition`.
    ///
    /// - Parameters:
    ///   - pose: of the fix's moment, in the frame of `now`.
    ///   - now: with the map.
    ///   - verticalAccuracy: of the newest pose.
    public init?(
        _ fix: ClientFix, pose: PoseEstimate, now: Viewpoint, verticalAccuracy: Double?, settings: SceneSettings.Frame
    ) {
        pointInScene = pose.positionInScene + pose.rotationSceneFromBody * fix.offsetInBody
        guard let position = now.map.position(ofScene: pointInScene) else { return nil }
        self.position = position
        var place = fix.position
        hasHeight = fix.hasHeight && now.heightKind == .ellipsoidal
        if !hasHeight { place.ellipsoidalHeight = position.ellipsoidalHeight }
        fixInScene = now.map.pointInScene(of: place)
        guard fixInScene.isFinite else { return nil }
        difference = LocalTangentPlane(origin: position).pointENU(of: place)
        guard difference.norm <= Self.farthest else { return nil }
        if !hasHeight { difference.z = 0 }
        self.verticalAccuracy = verticalAccuracy
        horizontalAccuracy = Self.accuracy(at: pointInScene, now, settings)
        deviations = horizontalAccuracy.flatMap { Self.deviations(difference, $0, fix.horizontalAccuracy) }
    }

    private static func accuracy(at point: Vector3, _ now: Viewpoint, _ settings: SceneSettings.Frame) -> Double? {
        guard let accuracy = now.horizontalAccuracy, let yaw = now.yawDeviation else { return nil }
        let travel = SceneAxes.level(now.positionInScene - point)
        let deviation = accuracy / PoseAccuracy.radius68
        let (byWay, byYaw) = (settings.travelErrorShare * travel, yaw * travel)
        return PoseAccuracy.radius68 * (deviation * deviation + byWay * byWay + byYaw * byYaw).squareRoot()
    }

    private static func deviations(_ difference: Vector3, _ ours: Double, _ theirs: Double) -> Double? {
        let deviation = (ours * ours + theirs * theirs).squareRoot() / PoseAccuracy.radius68
        let ground = (difference.x * difference.x + difference.y * difference.y).squareRoot()
        return deviation > 0 && (ground / deviation).isFinite ? ground / deviation : nil
    }
}
