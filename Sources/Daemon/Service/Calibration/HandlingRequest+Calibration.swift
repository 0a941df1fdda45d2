import Calibration
import Simulation

extension HandlingRequest {
    /// The request at the start of a calibration.
    package init(_ kind: CalibrationKind) {
        switch kind {
        case .gyroscope, .noise: self.init(.rest)
        case .accelerometer: self.init(.poses)
        case .magnetometer: self.init(.turning)
        case .mount: self.init(.walk)
        }
    }

    /// The request at a step of a calibration.
    package init(_ kind: CalibrationKind, _ progress: CalibrationProgress) {
        self.init(kind)
        asksForNext = [.turnToNextPose, .walkStraight].contains(progress.instruction)
        up = progress.missing
    }
}
