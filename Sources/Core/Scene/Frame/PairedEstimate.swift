import Geometry
import Model

/// Geodetic position at one instant that a client has determined independently.
public struct ClientFix: Hashable, Sendable {
    /// Position of the client's reference point.
    public var position: GeodeticPosition
    /// Whether the height of `position` above the ellipsoid is known.
    public var hasHeight: Bool
    /// Horizontal accuracy as a 68 % radius. Unit: metres.
    public var horizontalAccuracy: Double
    /// Lever arm: offset of the client's reference point from the board. Frame: body. Unit: metres.
    public var offsetInBody: Vector3

    package init(
        position: GeodeticPosition, hasHeight: Bool, horizontalAccuracy: Double, offsetInBody: Vector3 = .zero
    ) {
        self.position = position
        self.hasHeight = hasHeight
        self.horizontalAccuracy = horizontalAccuracy
        self.offsetInBody = offsetInBody
    }
}

/// Client's own fix, paired with the pose at the same instant. Both are converted with the alignment that is published
/// now. The pair does not correct the pose; the client decides how to use the difference.
public struct PairedEstimate: Hashable, Sendable {
    /// Position of the client's reference point, computed from the pose at that instant. Frame: scene. Unit: metres.
    public var pointInScene: Vector3
    /// Geodetic position of the same point.
    public var position: GeodeticPosition
    /// Horizontal accuracy of `position` as a 68 % radius in metres; nil if unknown.
    public var horizontalAccuracy: Double?
    /// Vertical accuracy of `position` at 68 % in metres; nil if unknown.
    public var verticalAccuracy: Double?
    /// Position of the fix. If the fix has no height, it is put at the height of `pointInScene`. Frame: scene. Unit:
    /// metres.
    public var fixInScene: Vector3
    /// Difference from `pointInScene` to `fixInScene`. Frame: ENU at `position`. Unit: metres.
    public var difference: Vector3
    /// Whether the heights can be compared.
    public var hasHeight: Bool
    /// Horizontal difference divided by the combined standard deviation of both positions along one axis; nil if an
    /// accuracy is unknown. The errors are assumed to be independent. If both accuracies are correct, only 1 value in
    /// 100 is above 3. A larger value therefore indicates that one position has a larger error than reported.
    public var normalizedDistance: Double?

    /// Largest difference for which ENU at one place approximates a horizontal distance. On the other side of the
    /// earth, the horizontal components become small again. Unit: metres.
    private static let maximumDistance = 1_000_000.0

    /// Pairs a fix with a pose; nil for a fix more than 1000 km away.
    ///
    /// The accuracy is the current one, increased by the error of the displacement since the fix, as for
    /// `CurrentPosition`.
    ///
    /// - Parameters:
    ///   - pose: pose at the fix's time, in the scene frame of `now`.
    ///   - now: current viewpoint with the map.
    ///   - verticalAccuracy: vertical accuracy of the newest pose at 68 % in metres; nil if unknown.
    public init?(
        _ fix: ClientFix, pose: PoseEstimate, now: Viewpoint, verticalAccuracy: Double?, settings: SceneSettings.Frame
    ) {
        pointInScene = pose.positionInScene + pose.rotationSceneFromBody * fix.offsetInBody
        guard let position = now.map.position(ofScene: pointInScene) else { return nil }
        self.position = position
        var place = fix.position
        hasHeight = fix.hasHeight && now.hasHeight
        if !hasHeight { place.ellipsoidalHeight = position.ellipsoidalHeight }
        fixInScene = now.map.pointInScene(of: place)
        guard fixInScene.isFinite else { return nil }
        difference = LocalTangentPlane(origin: position).pointENU(of: place)
        guard difference.norm <= Self.maximumDistance else { return nil }
        if !hasHeight { difference.z = 0 }
        self.verticalAccuracy = verticalAccuracy
        horizontalAccuracy = Self.accuracy(at: pointInScene, now, settings)
        normalizedDistance = horizontalAccuracy.flatMap {
            Self.normalizedDistance(difference, $0, fix.horizontalAccuracy)
        }
    }

    private static func accuracy(at point: Vector3, _ now: Viewpoint, _ settings: SceneSettings.Frame) -> Double? {
        guard let accuracy = now.horizontalAccuracy, let yaw = now.yawStandardDeviation else { return nil }
        let travel = SceneAxes.horizontalNorm(now.positionInScene - point)
        let standardDeviation = accuracy / PoseAccuracy.radius68
        let (byDistance, byYaw) = (settings.travelErrorShare * travel, yaw * travel)
        return PoseAccuracy.radius68
            * (standardDeviation * standardDeviation + byDistance * byDistance + byYaw * byYaw).squareRoot()
    }

    private static func normalizedDistance(_ difference: Vector3, _ ours: Double, _ theirs: Double) -> Double? {
        let standardDeviation = (ours * ours + theirs * theirs).squareRoot() / PoseAccuracy.radius68
        let ground = (difference.x * difference.x + difference.y * difference.y).squareRoot()
        return standardDeviation > 0 && (ground / standardDeviation).isFinite ? ground / standardDeviation : nil
    }
}
