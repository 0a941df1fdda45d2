import State

// Settings are those of the estimator that a state is restored to, and its statistics begin there. What applies in a
// regime, and the corrections of the sensors, follow from members that are saved.
extension EstimatorSettings: Unsaved {}
extension EstimatorSettings.HardIron: Unsaved {}
extension EstimatorSettings.Inertial: Unsaved {}
extension EstimatorSettings.Initial: Unsaved {}
extension RegimeRules: Unsaved {}
extension SensorCorrection: Unsaved {}
extension UpdateStatistics: Unsaved {}
