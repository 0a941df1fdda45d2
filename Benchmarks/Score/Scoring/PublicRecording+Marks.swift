import Estimation
import Geometry
import Recording

/// Dead reckoning against surveyed marks on a floor plan.
extension PublicRecording {
    func markScores(_ settings: EstimatorSettings) throws(RecordingError) -> Scores? {
        guard let truth = try NumberTable("truth", in: path, columns: ["x_m", "y_m"]) else { return nil }
        let track = try poses(settings)
        var (marks, found) = ([Vector2](), [Vector2]())
        for row in truth.rows {
            guard let x = row.values[0], let y = row.values[1], let pose = track.nearest(row.time) else { continue }
            marks.append(Vector2(x, y))
            // Scene: X east, Z south.
            found.append(Vector2(pose.positionInScene.x, -pose.positionInScene.z))
        }
        return Self.scores(of: found, against: marks)
    }

    /// Errors in per cent of the distance between the marks, and the ratio of the distances; nil without a distance.
    package static func scores(of found: [Vector2], against marks: [Vector2]) -> Scores? {
        let length = Self.length(marks)
        guard marks.count > 1, length > 0 else { return nil }
        let end = (found[found.count - 1] - found[0]) - (marks[marks.count - 1] - marks[0])
        return [
            ("end_percent", 100 * end.norm / length),
            ("aligned_percent", 100 * alignedError(found, marks) / length),
            ("distance_ratio", Self.length(found) / length),
        ]
    }

    private static func length(_ points: [Vector2]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).norm }
    }

    /// Root mean square distance after the rotation and shift that fit best. Unit: metres.
    private static func alignedError(_ found: [Vector2], _ marks: [Vector2]) -> Double {
        let share = 1 / Double(marks.count)
        let centre = (found: share * found.reduce(Vector2(), +), marks: share * marks.reduce(Vector2(), +))
        let pairs = zip(found, marks).map { ($0 - centre.found, $1 - centre.marks) }
        let cosine = pairs.reduce(0) { $0 + $1.0.dot($1.1) }
        let sine = pairs.reduce(0) { $0 + $1.0.cross($1.1) }
        let angle = Vector2(cosine, sine).angle
        let squares = pairs.reduce(0) { sum, pair in
            let turned = pair.0.norm * Vector2(angle: pair.0.angle + angle)
            return sum + (turned - pair.1).squaredNorm
        }
        return (share * squares).squareRoot()
    }
}
