import Calibration
import Simulation

extension HandlingRequest {
    /// What a calibration asks for at first.
    package init(_ kind: CalibrationKind) {
        switch kind {
        case .gyroscope, .noise: self.init(.rest)
        case .accelerometer: self.init(.poses)
        case .magnetometer: self.init(.turning)
        case .mount: self.init(.walk)
        }
    }

    /// What it asks for now.
    package init(_ kind: CalibrationKind, _ progress: CalibrationProgress) {
        self.init(kind)
        asksForNext = [.turnToNextPose, .walkStraight].contains(progress.instruction)
        up = progress.missing
    }
}
