/// Distance as a label shows it, in digits with the sign of the unit, such as `120 m` or `1.2 km`.
package enum ShortDistance {
    /// Text of whole metres, not negative, with tenths of a kilometre from one to ten.
    package static func text(metres: Int, in language: Language) -> String {
        let message: Message
        switch metres {
        case ..<1000: message = .metresShown
        case ..<10_000: message = .tenthsShown
        default: message = .kilometresShown
        }
        return language.catalogue.text(message).filled { name in
            switch name {
            case "whole": String(metres / 1000)
            case "tenths": String(metres % 1000 / 100)
            default: String(metres < 1000 ? metres : metres / 1000)
            }
        }
    }
}
