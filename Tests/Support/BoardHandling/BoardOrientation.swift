import Geometry

extension Rotation3 {
    /// Orientation of an inverted board in its carriage. Frame: wearer (x right, y up, z back) from body.
    public static let boardUpsideDown = Rotation3.exp(Vector3(0, 0, .pi))
    /// Orientation with the body's x axis upwards. Frame: wearer from body.
    public static let boardOnItsSide = Rotation3.exp(Vector3(0, 0, .pi / 2))
    /// Orientation of a phone held flat in the hand, screen up and top ahead. Frame: wearer from body.
    public static let boardFlat = Rotation3.exp(Vector3(-.pi / 2, 0, 0))

    /// Random orientation, uniformly distributed. Frame: wearer from body.
    ///
    /// A quaternion of four normal deviates is uniform over the sphere.
    public static func randomBoardOrientation(seed: UInt64) -> Rotation3 {
        var random = RandomSource(seed: seed, stream: 51)
        let q = (random.normal(), random.normal(), random.normal(), random.normal())
        return Rotation3(w: q.0, x: q.1, y: q.2, z: q.3) ?? .identity
    }
}
