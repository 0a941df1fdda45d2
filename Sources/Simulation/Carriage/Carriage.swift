import Geometry

/// Where on the body a board is carried through a simulated walk.
public enum Carriage: String, CaseIterable, Hashable, Sendable {
    /// On the head, as glasses are worn.
    case head
    /// In a hand that holds it ahead.
    case hand
    /// On the chest, or in a breast pocket.
    case chest
    /// In a bag that hangs from the shoulder and swings.
    case bag
    /// In a trouser pocket, or strapped to the thigh.
    case trousers
}

extension Rotation3 {
    /// Orientations of a board in its carriage. Frame: wearer (x right, y up, z back) from body.
    public static let boardUpsideDown = Rotation3.exp(Vector3(0, 0, .pi))
    /// The body's x axis points upwards.
    public static let boardOnItsSide = Rotation3.exp(Vector3(0, 0, .pi / 2))
    /// Lies flat with the screen to the sky and the top ahead, as a telephone in the hand.
    public static let boardFlat = Rotation3.exp(Vector3(-.pi / 2, 0, 0))

    /// Any orientation, evenly distributed.
    ///
    /// A quaternion of four normal deviates has an even distribution over the sphere.
    public static func boardAnyhow(seed: UInt64) -> Rotation3 {
        var random = RandomSource(seed: seed, stream: 51)
        let q = (random.normal(), random.normal(), random.normal(), random.normal())
        return Rotation3(w: q.0, x: q.1, y: q.2, z: q.3) ?? .identity
    }
}

extension CityWalkSettings {
    /// How the board is worn on a walk.
    public struct Wearing: Hashable, Sendable {
        public var carriage = Carriage.head
        /// Constant orientation of the board in its carriage. Frame: wearer (x right, y up, z back) from body.
        public var rotationWearerFromBody = Rotation3.identity

        public init(_ carriage: Carriage = .head, _ rotationWearerFromBody: Rotation3 = .identity) {
            self.carriage = carriage
            self.rotationWearerFromBody = rotationWearerFromBody
        }
    }
}
