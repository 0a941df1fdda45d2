import Model
import Scene
import WaymarkInterface

extension PlanUse {
    package var message: SceneInterface.PlanUse {
        SceneInterface.PlanUse(
            plan: plan, name: name, level: level, state: OpenWord(state.message), planProbability: planProbability,
            levelProbability: levelProbability, noPlanProbability: noPlanProbability)
    }
}

extension PlanUse.State {
    /// The state as a word of the interface.
    fileprivate var message: SceneInterface.PlanState {
        switch self {
        case .uncertain: .uncertain
        case .used: .used
        case .unfit: .unfit
        }
    }
}

extension PlanEvent.Kind {
    /// The kind as a word of the interface.
    var message: SceneInterface.EventKind {
        switch self {
        case .entered: .planEntered
        case .levelChanged: .planLevel
        case .unfit: .planUnfit
        case .left: .planLeft
        }
    }
}
