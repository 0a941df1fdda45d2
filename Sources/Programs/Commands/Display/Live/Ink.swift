/// Appearance of a character cell, as far as a terminal can show it.
enum Ink: UInt8, Sendable {
    case plain
    /// Emphasis.
    case strong
    case good
    case warning
    case bad
    case faint
    /// The route and the next turn.
    case route
    case turn
    case place
    case favorite
    case destination
    /// The range of headings within the accuracy.
    case band
    // The artificial horizon: text and marks on sky or ground, and cells shared by both.
    case sky
    case ground
    case groundBelowSky
    case skyBelowGround
    case symbolBeforeSky
    case symbolBeforeGround

    /// Parameters of "Select Graphic Rendition" (ECMA-48, 8.3.117) that select only this appearance.
    ///
    /// Text has the first sixteen colours, which follow the user's theme; blue and brown of the horizon are from the
    /// 256 that nearly all terminals have.
    var rendition: StaticString {
        switch self {
        case .plain: "0"
        case .strong: "0;1"
        case .good: "0;32"
        case .warning: "0;1;33"
        case .bad: "0;1;31"
        case .faint: "0;2"
        case .route: "0;36"
        case .turn: "0;1;36"
        case .place: "0;33"
        case .favorite: "0;1;35"
        case .destination: "0;1;32"
        case .band: "0;97;48;5;240"
        case .sky: "0;97;48;5;25"
        case .ground: "0;97;48;5;94"
        case .groundBelowSky: "0;38;5;94;48;5;25"
        case .skyBelowGround: "0;38;5;25;48;5;94"
        case .symbolBeforeSky: "0;1;93;48;5;25"
        case .symbolBeforeGround: "0;1;93;48;5;94"
        }
    }
}
