import Foundation
import Geometry
import Model
import Engine
import Recording
import Testing

/// Optical truth would be filtered and late: what came is taken from the estimator's own poses, whose turns over so
/// short a time are those of the gyroscope.
@Suite("Predicted poses on recordings")
struct PredictionTests {
    /// Bounds on the error at 20 ms in degrees, RMS while it moves, and against a turn at constant rate.
    struct Trial: CustomTestStringConvertible {
        var name: String
        var maximum: Double
        var share: Double
        var testDescription: String { name }
    }

    /// Of slow trials 0.18° and of fast ones 0.73° together is what a rougher predictor reached.
    static let trials = [
        Trial(name: "broad_02_undisturbed_slow_rotation_B", maximum: 0.18, share: 0.75),
        Trial(name: "broad_11_undisturbed_slow_translation_B", maximum: 0.18, share: 0.75),
        Trial(name: "broad_07_undisturbed_fast_rotation_B", maximum: 1.1, share: 0.5),
        Trial(name: "broad_21_undisturbed_fast_combined", maximum: 0.55, share: 0.6),
        Trial(name: "broad_35_disturbed_attached_magnet_4cm", maximum: 0.3, share: 0.75),
    ].filter { RecordingData.has($0.name) }

    @Test("are nearer to what came than a turn at constant rate", arguments: trials)
    func ahead(trial: Trial) throws {
        let reader = try SensorFolder(path: RecordingData.folder + "/" + trial.name)
        var odometry = Odometry()
        var poses: [PoseEstimate] = []
        while let measurement = try reader.next() {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        var predictor = PosePredictor()
        var (predicted, constant, count) = (0.0, 0.0, 0.0)
        var next = 0
        for pose in poses {
            predictor.add(pose)
            while next < poses.count, poses[next].time.seconds(since: pose.time) < 0.0199 { next += 1 }
            guard next < poses.count, pose.angularVelocityInBody.norm > 0.2 else { continue }
            let later = poses[next]
            let span = later.time.seconds(since: pose.time)
            guard span < 0.024 else { continue }
            let made = try #require(predictor.predict(ahead: span)).pose.rotationSceneFromBody
            let steady = pose.rotationSceneFromBody * Rotation3.exp(pose.angularVelocityInBody * span)
            predicted += (made.inverse * later.rotationSceneFromBody).log.squaredNorm
            constant += (steady.inverse * later.rotationSceneFromBody).log.squaredNorm
            count += 1
        }
        let degrees = (predicted / count).squareRoot() * 180 / .pi
        #expect(degrees < trial.maximum)
        #expect((predicted / constant).squareRoot() < trial.share)
    }
}
