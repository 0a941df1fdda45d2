import Scene

extension PlanEvent {
    /// Text of the event for the wearer, such as `On level 2 of “Main Station”`.
    package func text(in language: Language) -> String {
        Sentence(message, ["plan": use.title, "level": use.level]).text(in: language)
    }

    private var message: Message {
        switch kind {
        case .entered, .levelChanged: .planLevel
        case .unfit: .planUnfit
        case .left: use.state == .unfit ? .planOpen : .planLeft
        }
    }
}
