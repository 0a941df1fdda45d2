import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What the layout of labels goes by: the settings in radians, and how it weighs.
///
/// The constants without a setting were tried on simulated walks of ten minutes among 60 places, in grids of streets, along
/// one street, across squares and open ground.
struct LabelRules: Sendable {
    /// Of each slot, of the middle above the horizon. Unit: radians.
    let elevations: [Double]
    /// Of each slot, the azimuth that a label takes there: the higher, the more. Unit: radians.
    let widths: [Double]
    let patienceSeconds: Double

    /// A label that comes into a slot keeps this share of its width from the others, against their coming and going.
    static let margin = 0.15
    /// Two part so long before they meet: labels are laid out ten times a second, and near ones pass fast. Unit: seconds.
    static let lead = 0.15
    /// From so many widths apart none meet within the lead.
    static let leadWidths = 3.0
    /// How far ahead it is seen who will meet. Unit: seconds.
    static let horizon = 60.0
    /// A slot is worth appearing in from so long a stay on. Unit: seconds.
    static let leastStay = 10.0
    /// What it weighs to be met at once, in moves.
    static let meetingCost = 1.5
    /// What a slot higher weighs, and what the slot of last time, in horizons.
    static let slotCost = 0.03
    static let returnGain = 0.5
    /// So many moves within so many seconds at most; who has none left gives way by not being shown.
    static let mostMoves = 4
    static let moveSeconds = 600.0
    /// Who has moved so often within this time does not move without need.
    static let mostOwnMoves = 1
    /// A clearly lower slot is so many lower.
    static let clearlyLower = 3
    /// A label takes the slot of one of equal priority that is farther by this factor.
    static let clearlyFarther = 1.6
    /// Slots higher than this are taken for as wide as this one. Unit: cosine of the elevation.
    private static let leastCosine = 0.1

    init(_ settings: SceneSettings.Labels) {
        let width = Angle.radians(degrees: settings.widthDegrees)
        elevations = (0..<max(0, settings.slots)).map {
            Angle.radians(degrees: settings.lowestDegrees + Double($0) * settings.slotDegrees)
        }
        widths = elevations.map { width / max(Self.leastCosine, cos($0)) }
        patienceSeconds = settings.patienceSeconds
    }

    var slots: Range<Int> { widths.indices }

    /// The width with the margin. Unit: radians.
    func room(_ slot: Int) -> Double { widths[slot] * (1 + Self.margin) }
}
