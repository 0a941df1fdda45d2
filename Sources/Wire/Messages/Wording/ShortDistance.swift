/// Distance as a label shows it, in digits with the unit symbol, such as `120 m` or `1.2 km`.
package enum ShortDistance {
    /// Text for a non-negative number of metres. It is rounded to tenths of a kilometre from one to ten kilometres, and
    /// to whole kilometres beyond.
    package static func text(metres: Int, in language: Language) -> String {
        let metres = rounded(metres)
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

    private static func rounded(_ metres: Int) -> Int {
        guard metres >= 1000 else { return metres }
        let tenths = (metres + 50) / 100 * 100
        return tenths < 10_000 ? tenths : (metres + 500) / 1000 * 1000
    }
}
