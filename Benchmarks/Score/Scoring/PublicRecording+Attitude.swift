import Estimation
import Geometry
import Glibc
import Recording

/// Attitude against optical motion capture, in the phases of motion that the benchmark counts.
extension PublicRecording {
    func attitudeScores(_ settings: EstimatorSettings) throws(RecordingError) -> Scores? {
        let columns = ["qw", "qx", "qy", "qz", "moving"]
        guard let truth = try NumberTable("truth", in: path, columns: columns) else { return nil }
        let track = try poses(settings)
        var errors: [AttitudeError] = []
        var (within, known) = (0, 0)
        for row in truth.rows {
            guard let w = row.values[0], let x = row.values[1], let y = row.values[2], let z = row.values[3],
                row.values[4] ?? 0 > 0, let rotation = Rotation3(w: w, x: x, y: y, z: z),
                let pose = track.nearest(row.time)
            else { continue }
            let error = AttitudeError(of: pose.rotationENUFromBody, against: rotation)
            errors.append(error)
            guard let accuracy = pose.accuracy.yaw else { continue }
            known += 1
            if error.heading.magnitude <= accuracy * 180 / .pi { within += 1 }
        }
        guard !errors.isEmpty else { return nil }
        func root(_ part: (AttitudeError) -> Double) -> Double {
            (errors.reduce(0) { $0 + part($1) * part($1) } / Double(errors.count)).squareRoot()
        }
        return [
            ("total_deg", root(\.total)), ("heading_deg", root(\.heading)), ("inclination_deg", root(\.inclination)),
            ("yaw_within", known == 0 ? .nan : Double(within) / Double(known)),
        ]
    }
}
