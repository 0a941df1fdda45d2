import State

// Settings are those of the estimator that a state is restored to, and its statistics begin there. What applies in a
// regime follows from it.
extension EstimatorSettings: Unsaved {}
extension EstimatorSettings.Inertial: Unsaved {}
extension EstimatorSettings.Initial: Unsaved {}
extension RegimeRules: Unsaved {}
extension UpdateStatistics: Unsaved {}
