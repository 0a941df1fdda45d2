import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// How large an acceleration has been lately, and how fast it has changed: what a prediction can miss.
///
/// Frame: scene.
struct Restlessness: Sendable {
    /// Mean squares of the acceleration and of its derivative, along each axis.
    private var squares = Vector3.zero
    private var changes = Vector3.zero

    /// Over how long the means are taken. Unit: seconds.
    private static let memory = 0.5

    mutating func add(_ acceleration: Vector3, change: Vector3, over interval: Double) {
        let share = 1 - exp(-interval / Self.memory)
        squares += (Self.square(acceleration) - squares) * share
        changes += (Self.square(change) - changes) * share
    }

    private static func square(_ vector: Vector3) -> Vector3 {
        Vector3(vector.x * vector.x, vector.y * vector.y, vector.z * vector.z)
    }

    /// Standard deviation, along each axis, of the acceleration that was not foreseen, on average over a time ahead.
    ///
    /// Of the acceleration, the part that is thought to fade; and of the part that is thought to last, its change since
    /// the middle of the moments from which it was taken. A third of the time: twice integrated, late changes count less.
    func unforeseen(over span: Double) -> Vector3 {
        let lasting = 1 - span / PosePredictor.limit
        let fading = span / PosePredictor.limit
        let age = lasting * (span / 3 + RecentMotion.window / 2)
        let variance = squares * (fading * fading) + changes * (age * age)
        return Vector3(variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot())
    }
}
