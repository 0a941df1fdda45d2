/// The routing service of `waymark route to`. Poses do not depend on it, so its findings are warnings at most.
enum RoutingRules {
    static func findings(_ facts: BoardFacts) -> [Finding] { facts.routing.map { [finding($0, facts)] } ?? [] }

    private static let subject = "navigation.service"

    private static func finding(_ routing: RoutingFacts, _ facts: BoardFacts) -> Finding {
        let service = routing.service
        switch routing.outcome {
        case .answered: return .ok(.routingAnswers, subject, "\(service) answers")
        case .unreachable(let reason):
            return warning(
                .routingUnreachable, "cannot connect to \(service): \(reason)",
                remedy: edit(facts, "\(subject), if the address is wrong; else start the service"))
        case .silent(let seconds):
            return warning(
                .routingSilent, "\(service) does not answer within \(Amount.text(seconds)) s",
                remedy: edit(facts, "\(subject), if the address is wrong; else check the log of the service"))
        case .refused(let words):
            return warning(
                .routingRefused, "\(service) rejects the request for the profile '\(routing.profile)': \(words)",
                remedy: edit(facts, "navigation.profile, or the path in \(subject)"))
        case .foreign(let words):
            return warning(.routingForeign, words, remedy: edit(facts, "\(subject): its kind, its address or its path"))
        case .noLibrary(let reason):
            return warning(
                .routingNoLibrary, "\(service) cannot be used without libcurl: \(reason)",
                remedy: "sudo apt install libcurl4t64 || sudo apt install libcurl4")
        }
    }

    private static func warning(_ code: FindingCode, _ what: String, remedy: String) -> Finding {
        .warning(
            code, subject, what,
            meaning: "`waymark route to` fails, except with another --service or with --straight",
            remedy: remedy)
    }

    /// The command reads the settings itself, so the daemon need not be restarted.
    private static func edit(_ facts: BoardFacts, _ hint: String) -> String {
        "sudoedit \((facts.configuration?.file ?? Remedy.systemFile).shellQuoted)  # \(hint)"
    }
}
