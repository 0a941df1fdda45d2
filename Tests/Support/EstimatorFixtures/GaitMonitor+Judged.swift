import Estimation
import Geometry
import Model

extension GaitMonitor {
    /// Takes the motion up to now, and says at once whether it ends a step.
    package mutating func add(
        _ sample: GaitSample, at time: BootTime, isAided: Bool, settings: GaitSettings
    ) -> Step? {
        guard add(sample, at: time) else { return nil }
        return detectStep(at: time, isAided: isAided, settings: settings)
    }
}
