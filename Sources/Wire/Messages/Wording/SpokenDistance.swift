/// Distance, rounded as people say it.
///
/// Rounded to 5 m up to 20 m, to 10 m up to 200 m, to 50 m up to 1 km, to 100 m up to 10 km, and to kilometres beyond.
enum SpokenDistance: Hashable, Sendable {
    case metres(Int)
    case kilometres(Int)
    /// Whole kilometres and tenths of a kilometre; the tenths are not 0.
    case tenths(whole: Int, tenths: Int)

    /// Rounds a number of metres; nil if it is not finite.
    init?(_ metres: Double) {
        guard metres.isFinite else { return nil }
        func steps(_ step: Double) -> Int { Int((min(max(0, metres), 1e9) / step).rounded()) }
        if metres < 17.5 {
            self = .metres(max(1, steps(5)) * 5)
        } else if metres < 195 {
            self = .metres(steps(10) * 10)
        } else if metres < 975 {
            self = .metres(steps(50) * 50)
        } else {
            let tenths = steps(100)
            self =
                tenths >= 100 || tenths % 10 == 0
                ? .kilometres(steps(1000)) : .tenths(whole: tenths / 10, tenths: tenths % 10)
        }
    }

    /// Grammatical role of a distance in its sentence, which the placeholder states. A language may have a different
    /// form for each role.
    enum Role: String {
        /// Distance after which something follows.
        case ahead = "distanceAhead"
        /// Distance at which something lies.
        case away = "distanceAway"
        /// Length by itself.
        case alone = "distance"
    }

    func text(_ role: Role, in catalogue: Catalogue) -> String {
        switch self {
        case .metres(let count): catalogue.text(message(role), number: count).filled { _ in String(count) }
        case .kilometres(let count): catalogue.text(message(role), number: count).filled { _ in String(count) }
        case .tenths(let whole, let tenths):
            catalogue.text(message(role), number: whole).filled { String($0 == "whole" ? whole : tenths) }
        }
    }

    private func message(_ role: Role) -> Message {
        switch (self, role) {
        case (.metres, .ahead): .metresAhead
        case (.metres, .away): .metresAway
        case (.metres, .alone): .metres
        case (.kilometres, .ahead): .kilometresAhead
        case (.kilometres, .away): .kilometresAway
        case (.kilometres, .alone): .kilometres
        case (.tenths, .ahead): .tenthsAhead
        case (.tenths, .away): .tenthsAway
        case (.tenths, .alone): .tenths
        }
    }
}
