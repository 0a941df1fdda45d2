/// Language with a message catalogue; the raw value is its BCP 47 tag.
public enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case russian = "ru"
    case ukrainian = "uk"

    var catalogue: Catalogue {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        case .russian: .russian
        case .ukrainian: .ukrainian
        }
    }
}
