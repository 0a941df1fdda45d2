import Calibration
import Geometry
import Model
import Testing

@Suite("axes of recorded compasses")
struct RecordedAxesTests {
    private struct Recording: CustomTestStringConvertible {
        var name: String
        var table = "mag.csv.gz"
        /// Whether the rotations suffice.
        var isFound = true
        var testDescription: String { "\(name)/\(table)" }
    }

    /// Boards and telephones in the hand, whose compass has the axes of the inertial sensors.
    private static let recordings = [
        Recording(name: "android_rotation_vector"),
        Recording(name: "android_rotation_vector", table: "mag_uncalibrated.csv.gz"),
        Recording(name: "broad_02_undisturbed_slow_rotation_B", isFound: false),
        Recording(name: "broad_07_undisturbed_fast_rotation_B"),
        Recording(name: "broad_11_undisturbed_slow_translation_B", isFound: false),
        Recording(name: "broad_21_undisturbed_fast_combined"),
        Recording(name: "broad_30_disturbed_stationary_magnet_C"),
        Recording(name: "broad_35_disturbed_attached_magnet_4cm"),
        Recording(name: "broad_whole_05_undisturbed_slow_rotation_with_breaks_B"),
        Recording(name: "broad_whole_32_disturbed_attached_magnet_1cm", isFound: false),
        Recording(name: "broad_whole_36_disturbed_attached_magnet_5cm"),
        Recording(name: "coremotion_north", isFound: false),
        Recording(name: "walk_ethz_phone", table: "mag_uncalibrated.csv.gz", isFound: false),
        Recording(name: "walk_hallway_loop", isFound: false),
    ]

    @Test(
        "the compass has the axes of the others; exchanged, it has exactly those; nothing wrong is ever claimed",
        .enabled(if: RecordedTable.has("android_rotation_vector/mag.csv.gz")), arguments: recordings)
    private func found(_ recording: Recording) throws {
        let inertial = try RecordedTable("\(recording.name)/imu.csv.gz").inertialMeasurements()
        let magnetic = try RecordedTable("\(recording.name)/\(recording.table)").magneticMeasurements()
        let measurements = (inertial + magnetic).sorted { $0.time < $1.time }
        var right = 0
        for turn in AxisTurn.all {
            var store = MagneticStore()
            for case let measurement in measurements {
                guard case .magneticField(var sample) = measurement else {
                    _ = store.add(measurement)
                    continue
                }
                sample.field = turn.inverse.matrix * sample.field
                _ = store.add(.magneticField(sample))
            }
            let axes = CompassAxes(store, settings: CalibrationSettings())
            switch axes.finding {
            case .turn(let found):
                #expect(found == turn)
                right += 1
            case .unknown: break
            case .inertial: Issue.record("accelerometer and gyroscope of a recording have the same axes")
            }
        }
        #expect(right == (recording.isFound ? AxisTurn.all.count : 0))
    }
}
