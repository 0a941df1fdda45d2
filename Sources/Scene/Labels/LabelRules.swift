import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What the layout of labels goes by: the settings in radians, and how it weighs.
///
/// The constants without a setting were tried on simulated walks of ten minutes among 60 places, in grids of streets, along
/// one street, across squares and open ground.
struct LabelRules: Sendable {
    /// Where a label is shown that has each slot, from the lowest on.
    let places: [LabelSlot]
    /// How many slots a label may choose from; those above them serve labels whose own marks cover some of the lower ones.
    let count: Int
    /// Azimuth that a label takes in each slot: the higher, the more. Unit: radians.
    let widths: [Double]
    let patienceSeconds: Double

    /// A label that comes into a slot keeps this share of its width from the others, against their coming and going.
    static let margin = 0.15
    /// A label moves by this share of its width at most before all are laid out anew: two keep twice as much more apart.
    static let drift = 0.025
    /// A label that comes into a slot keeps this from its own mark, against the bobbing of the walk, and a share of what a
    /// large mark exceeds an ordinary one by, which grows as the wearer comes near. Unit: radians, 1, radians.
    private static let markMargin = Angle.radians(degrees: 0.3)
    private static let largeMarkShare = 0.5
    private static let ordinaryRadius = Angle.radians(degrees: 2)
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
    /// What a slot higher weighs, what covering the mark of another, and what the slot of last time, in horizons.
    static let slotCost = 0.03
    static let coverCost = 0.5
    static let returnGain = 0.5
    /// So many moves within so many seconds at most; who has none left gives way by not being shown.
    static let mostMoves = 4
    static let moveSeconds = 600.0
    /// Who has moved so often within this time does not move without need, nor to uncover the mark of another. On walks past
    /// things at different heights the second move shortens the time for which labels cover marks by a fifth to two fifths, for
    /// a tenth to a fifth more moves.
    static let mostOwnMoves = 1
    static let mostUncoveringMoves = 2
    /// A clearly lower slot is so many lower.
    static let clearlyLower = 3
    /// A label takes the slot of one of equal priority that is farther by this factor.
    static let clearlyFarther = 1.6
    /// No slot reaches higher: azimuths mean nothing near the zenith. Unit: radians.
    private static let highest = Angle.radians(degrees: 80)
    /// The most slots, those included that serve large marks.
    private static let mostSlots = 64

    /// - Parameter size: the lowest slot keeps the lower edge that the settings give it, and slots their gap.
    init(_ settings: SceneSettings.Labels, size: LabelSize) {
        let (width, height) = (
            Angle.radians(degrees: size.widthDegrees), Angle.radians(degrees: size.heightDegrees)
        )
        let lowestEdge = Angle.radians(degrees: settings.lowestDegrees - settings.heightDegrees / 2)
        let gap = Angle.radians(degrees: max(0, settings.slotDegrees - settings.heightDegrees))
        places = Self.stack(width, height, from: lowestEdge + height / 2, gap: gap)
        count = min(max(0, settings.slots), places.count)
        widths = places.map { 2 * $0.box.halfAzimuth * (1 + 2 * Self.drift) }
        patienceSeconds = settings.patienceSeconds
    }

    /// Slots above one another, none of which reaches into the next.
    private static func stack(_ width: Double, _ height: Double, from lowest: Double, gap: Double) -> [LabelSlot] {
        var places: [LabelSlot] = []
        var middle = lowest
        while places.count < mostSlots, middle + height / 2 <= highest {
            let place = LabelSlot(index: places.count, elevation: middle, width: width, height: height)
            // The lower corners of a wide label hang down.
            if let below = places.last, place.box.lowest < below.box.highest {
                middle += below.box.highest - place.box.lowest + leastStep
                continue
            }
            places.append(place)
            middle += height + gap
        }
        return places
    }

    /// By which the search for a free height goes on at least. Unit: radians.
    private static let leastStep = 1e-6

    /// The width with the margin. Unit: radians.
    func room(_ slot: Int) -> Double { widths[slot] * (1 + Self.margin) }

    /// The slots that a label may have beside a mark of its own, which is at the same azimuth.
    func choice(beside mark: LabelMark) -> LabelChoice {
        let margin = Self.markMargin + Self.largeMarkShare * max(0, mark.radius - Self.ordinaryRadius)
        func isCovered(_ slot: Int) -> Bool {
            places[slot].covers(elevation: mark.elevation, radius: mark.radius + margin)
        }
        guard let first = places.indices.first(where: isCovered), first < count else {
            return LabelChoice(end: count, covered: count..<count)
        }
        let end = places.indices[first...].first { !isCovered($0) } ?? places.count
        return LabelChoice(end: min(places.count, count + end - first), covered: first..<end)
    }
}

/// The slots in which a label would not cover its own mark.
struct LabelChoice {
    let end: Int
    let covered: Range<Int>

    func contains(_ slot: Int) -> Bool { slot < end && !covered.contains(slot) }

    /// From the lowest on.
    var slots: some Sequence<Int> { (0..<end).lazy.filter { [covered] in !covered.contains($0) } }
}
