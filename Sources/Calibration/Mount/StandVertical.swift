import Geometry

/// Vertical of one stand: gravity averaged in axes that the gyroscope holds fixed, which removes the sway of the body.
struct StandVertical: Hashable, Sendable {
    /// Mean specific force. Frame: target of the rotations passed to `init`. Unit: m/s².
    let force: Vector3
    /// Time of the middle of the stand. Unit: seconds.
    let seconds: Double
    /// Standard deviation of the tilt about each axis, from the scatter of the force. Unit: radians.
    let deviation: Double

    /// Nil without samples.
    init?(pairs: ArraySlice<InertialPair>, rotations: ArraySlice<Rotation3>) {
        guard let first = pairs.first, let last = pairs.last else { return nil }
        var (sum, piece, pieces) = (Vector3.zero, Vector3.zero, [Vector3]())
        var (count, begins) = (0.0, first.seconds)
        for (pair, rotation) in zip(pairs, rotations) {
            if pair.seconds - begins >= MountSettings.blockSeconds {
                pieces.append(piece / count)
                (piece, count, begins) = (.zero, 0, pair.seconds)
            }
            let force = rotation * pair.force
            sum += force
            piece += force
            count += 1
        }
        if count > 0 { pieces.append(piece / count) }
        let mean = sum / Double(pairs.count)
        force = mean
        seconds = 0.5 * (first.seconds + last.seconds)
        deviation = Self.deviation(of: pieces, about: mean)
    }

    private static func deviation(of pieces: [Vector3], about mean: Vector3) -> Double {
        guard pieces.count > 1, let up = mean.normalized else { return MountSettings.unknownTilt }
        let squares = pieces.reduce(0) { sum, piece in
            let level = piece - up * piece.dot(up)
            return sum + level.squaredNorm
        }
        // Per axis; the mean has one degree of freedom for two pieces, since sway correlates neighbours.
        let pieceVariance = squares / Double(pieces.count - 1) / 2
        let tilt = (pieceVariance / Double(pieces.count) * 2).squareRoot() / mean.norm
        return (tilt * tilt + MountSettings.leastTilt * MountSettings.leastTilt).squareRoot()
    }
}
