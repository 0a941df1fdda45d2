import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Recent mean square of an acceleration and of its derivative: the unpredictable part of the motion.
///
/// Frame: scene.
struct Restlessness: Sendable {
    /// Mean squares of the acceleration and of its derivative, per axis.
    private var squares = Vector3.zero
    private var changes = Vector3.zero

    /// Time constant of the means. Unit: seconds.
    private static let memory = 0.5

    mutating func add(_ acceleration: Vector3, change: Vector3, over interval: Double) {
        let share = 1 - exp(-interval / Self.memory)
        squares += (Self.square(acceleration) - squares) * share
        changes += (Self.square(change) - changes) * share
    }

    private static func square(_ vector: Vector3) -> Vector3 {
        Vector3(vector.x * vector.x, vector.y * vector.y, vector.z * vector.z)
    }

    /// Standard deviation, per axis, of the unpredicted acceleration, on average over a time ahead.
    ///
    /// It has two parts: the share of the acceleration that is assumed to fade, and the change of the remaining share
    /// since the moments from which it was taken. A third of the time: integrated twice, late changes count less.
    func unforeseen(over span: Double) -> Vector3 {
        let lasting = 1 - span / PosePredictor.limit
        let fading = span / PosePredictor.limit
        let age = lasting * (span / 3 + RecentMotion.window / 2)
        let variance = squares * (fading * fading) + changes * (age * age)
        return Vector3(variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot())
    }
}
