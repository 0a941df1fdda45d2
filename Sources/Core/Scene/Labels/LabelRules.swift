import Geometry
import Glibc

/// Parameters of the label layout: the settings, converted to radians, and the weights of its cost.
///
/// Constants without a setting were tuned on simulated walks of ten minutes among 60 places, in grids of streets, along
/// one street, across squares and in open terrain.
struct LabelRules: Sendable {
    /// Slots in ascending order.
    let places: [LabelSlot]
    /// Number of slots that are available to a label. The slots above these serve labels whose own marks cover some of
    /// the lower slots.
    let count: Int
    /// Range of azimuth that a label covers in each slot, which is wider in higher slots. Unit: radians.
    let widths: [Double]
    let patienceSeconds: Double

    /// Distance, as a fraction of its width, that a label keeps from other labels when it enters a slot. It provides
    /// hysteresis.
    static let margin = 0.15
    /// Distance, as a fraction of its width, by which a label moves at most before a new layout. Two labels keep twice
    /// that distance.
    static let drift = 0.025
    /// Distance that a label keeps from its own mark when it enters a slot, because the mark moves up and down while
    /// the wearer walks. A large mark also grows as the wearer approaches. If its radius exceeds that of an ordinary
    /// mark, this fraction of the excess is added to the distance. Units: radians, 1, radians.
    private static let markMargin = Angle.radians(degrees: 0.3)
    private static let largeMarkShare = 0.5
    private static let ordinaryRadius = Angle.radians(degrees: 2)
    /// Time before an overlap at which two labels are separated. Layouts are made ten times a second, and near labels
    /// pass fast. Unit: seconds.
    static let lead = 0.15
    /// Separation above which no two labels overlap within the lead. Unit: widths of a label.
    static let leadWidths = 3.0
    /// Prediction horizon for overlaps. Unit: seconds.
    static let horizon = 60.0
    /// Least predicted stay in a slot for a label to appear there. Unit: seconds.
    static let minimumStay = 10.0
    /// Cost of an immediate overlap, as a number of moves.
    static let meetingCost = 1.5
    /// Cost of each higher slot, cost of covering the mark of another placement, and gain of returning to the previous
    /// slot. Unit: the prediction horizon.
    static let slotCost = 0.03
    static let coverCost = 0.5
    static let returnGain = 0.5
    /// Maximum number of moves of a label within a period in seconds. After that, the label is hidden instead of moved.
    static let maximumMoveCount = 4
    static let moveSeconds = 600.0
    /// Number of recent moves after which a label no longer moves voluntarily, and number after which it no longer
    /// moves to uncover the mark of another placement. On walks past placements at different heights, allowing a second
    /// move reduces the time for which labels cover marks by a fifth to two fifths. It adds a tenth to a fifth to the
    /// number of moves.
    static let maximumOwnMoveCount = 1
    static let maximumUncoveringMoveCount = 2
    /// Number of slots by which a slot must be lower to justify a voluntary move.
    static let clearlyLower = 3
    /// Ratio of distances above which a label displaces a farther label of equal priority.
    static let clearlyFarther = 1.6
    /// Greatest elevation of a slot, because azimuth is ill-conditioned near the zenith. Unit: radians.
    private static let maximumElevation = Angle.radians(degrees: 80)
    /// Maximum number of slots, including those for large marks.
    private static let maximumSlotCount = 64

    /// - Parameter size: size of the labels. The settings define the lower edge of the lowest slot and the gap between
    ///   slots.
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

    private static func stack(_ width: Double, _ height: Double, from lowest: Double, gap: Double) -> [LabelSlot] {
        var places: [LabelSlot] = []
        var middle = lowest
        while places.count < maximumSlotCount, middle + height / 2 <= maximumElevation {
            let place = LabelSlot(index: places.count, elevation: middle, width: width, height: height)
            // The lower corners of a wide label lie below its middle.
            if let below = places.last, place.box.lowest < below.box.highest {
                middle += below.box.highest - place.box.lowest + minimumStep
                continue
            }
            places.append(place)
            middle += height + gap
        }
        return places
    }

    /// Least step of the search for a free elevation. Unit: radians.
    private static let minimumStep = 1e-6

    /// Returns the width of a slot, including the margin. Unit: radians.
    func room(_ slot: Int) -> Double { widths[slot] * (1 + Self.margin) }

    /// Returns the slots available to a label. These are `count` slots that its own mark does not cover, if there are
    /// as many. The mark is at the same azimuth as the label.
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

/// Slots in which a label does not cover its own mark.
struct LabelChoice {
    let end: Int
    let covered: Range<Int>

    func contains(_ slot: Int) -> Bool { slot < end && !covered.contains(slot) }

    var slots: some Sequence<Int> { (0..<end).lazy.filter { [covered] in !covered.contains($0) } }
}
