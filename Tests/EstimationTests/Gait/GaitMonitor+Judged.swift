import Estimation
import Geometry
import Model

extension GaitMonitor {
    /// Takes the motion up to now, and says at once whether it ends a step.
    mutating func add(
        _ sample: GaitSample, at time: BootTime, isAided: Bool, settings: EstimatorSettings.Steps
    ) -> Step? {
        guard add(sample, at: time) else { return nil }
        return detectStep(at: time, isAided: isAided, settings: settings)
    }
}
