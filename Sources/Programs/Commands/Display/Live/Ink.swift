/// Appearance of a character cell, as far as a terminal can show it.
///
/// The raw values are the parameters of "Select Graphic Rendition" (ECMA-48, 8.3.117) that select only this appearance.
/// Text has one of the first sixteen colours, which follow the user's theme. Blue and brown of the horizon are from the
/// 256 colours that nearly all terminals have.
enum Ink: String, Sendable {
    case plain = "0"
    /// Emphasis.
    case strong = "0;1"
    case good = "0;32"
    case warning = "0;1;33"
    case bad = "0;1;31"
    case faint = "0;2"
    /// The route and the next turn.
    case route = "0;36"
    case turn = "0;1;36"
    case place = "0;33"
    case favorite = "0;1;35"
    case destination = "0;1;32"
    /// The range of headings within the accuracy.
    case band = "0;97;48;5;240"
    // The artificial horizon: text and marks on sky or ground, and cells shared by both.
    case sky = "0;97;48;5;25"
    case ground = "0;97;48;5;94"
    case groundBelowSky = "0;38;5;94;48;5;25"
    case skyBelowGround = "0;38;5;25;48;5;94"
    case symbolBeforeSky = "0;1;93;48;5;25"
    case symbolBeforeGround = "0;1;93;48;5;94"

    /// Whether the appearance has a background, so that even a blank cell shows it.
    var hasBackground: Bool {
        switch self {
        case .band, .sky, .ground, .groundBelowSky, .skyBelowGround, .symbolBeforeSky, .symbolBeforeGround: true
        default: false
        }
    }
}
