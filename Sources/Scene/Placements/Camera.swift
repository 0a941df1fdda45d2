/// What a subscriber's display shows: a pinhole in the body's own axes, looking along −z.
public struct Camera: Hashable, Sendable {
    /// Across. Unit: radians, in (0, π).
    public var horizontalFieldOfView: Double
    /// Width by height.
    public var aspect: Double

    public init(horizontalFieldOfView: Double, aspect: Double) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.aspect = aspect
    }
}
