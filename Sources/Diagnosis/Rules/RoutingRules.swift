/// The routing service of `waymark route to`. Poses do not depend on it: nothing of it is a failure.
enum RoutingRules {
    static func findings(_ facts: BoardFacts) -> [Finding] { facts.routing.map { [finding($0, facts)] } ?? [] }

    private static let subject = "navigation.service"

    private static func finding(_ routing: RoutingFacts, _ facts: BoardFacts) -> Finding {
        let service = routing.service
        switch routing.outcome {
        case .answered: return .ok(.routingAnswers, subject, "\(service) answers")
        case .unreachable(let reason):
            return warning(
                .routingUnreachable, "\(service) cannot be reached: \(reason)",
                remedy: edit(facts, "\(subject), where that is not its address; else start it"))
        case .silent(let seconds):
            return warning(
                .routingSilent, "\(service) does not answer within \(Amount.text(seconds)) s",
                remedy: edit(facts, "\(subject), where that is not its address; else see what it waits for"))
        case .refused(let words):
            return warning(
                .routingRefused, "\(service) refuses the question, for the profile '\(routing.profile)': \(words)",
                remedy: edit(facts, "navigation.profile, or the path in \(subject)"))
        case .foreign(let words):
            return warning(.routingForeign, words, remedy: edit(facts, "\(subject): its kind, its address or its path"))
        case .noLibrary(let reason):
            return warning(
                .routingNoLibrary, "\(service) cannot be asked without libcurl: \(reason)",
                remedy: "sudo apt install libcurl4t64 || sudo apt install libcurl4")
        }
    }

    private static func warning(_ code: FindingCode, _ what: String, remedy: String) -> Finding {
        .warning(
            code, subject, what,
            meaning: "`waymark route to` finds no way, unless --service names another or --straight asks none",
            remedy: remedy)
    }

    /// The command reads the settings itself: no daemon has to be started again.
    private static func edit(_ facts: BoardFacts, _ hint: String) -> String {
        "sudoedit \((facts.configuration?.file ?? Remedy.systemFile).shellQuoted)  # \(hint)"
    }
}
