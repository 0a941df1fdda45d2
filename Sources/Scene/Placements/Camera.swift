/// Field of view of a subscriber's display: a pinhole camera in body axes, looking along −z.
public struct Camera: Hashable, Sendable {
    /// Horizontal field of view, radians in (0, π).
    public var horizontalFieldOfView: Double
    /// Aspect ratio: width divided by height.
    public var aspect: Double

    /// Camera with a horizontal field of view in radians and an aspect ratio.
    public init(horizontalFieldOfView: Double, aspect: Double) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.aspect = aspect
    }
}
