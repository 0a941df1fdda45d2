import Model

/// Layout of the texts of hints on one display. Each text is in a box beside its arrow, where the box covers no other
/// text, no arrow and no mark. A hint has no box if there is no room for its text.
///
/// A box stays on the same side of its arrow while that side is free. When a text, an arrow or a mark reaches the box,
/// the box moves to another side. If it has already changed within the last half second, it is removed instead, and
/// returns after that time.
struct HintTextLayout: Sendable {
    private struct Memory: Sendable {
        /// Index of the box's position beside the arrow; nil without a box.
        var choice: Int?
        /// Directions that define the positions beside the arrow; nil for a new hint.
        var inward: Inward?
        /// Time of the last change of the choice; nil for a new hint.
        var changed: BootTime?
        /// Time since which a better position than the current one has been free.
        var betterSince: BootTime?

        /// Whether the box has to move to `choice` now. If it does not, but its position is no longer free, this
        /// function removes the box.
        ///
        /// - Parameters:
        ///   - choice: best free position. While the current position is free, only a better one is given.
        ///   - isHeld: whether there is a box whose position is free.
        mutating func changes(to choice: Int?, isHeld: Bool, at time: BootTime) -> Bool {
            func has(_ seconds: Double, passedSince start: BootTime) -> Bool {
                time.seconds(since: start).magnitude >= seconds
            }
            if isHeld {
                betterSince = choice == nil ? nil : betterSince ?? time
                return betterSince.map { has(HintTextLayout.patienceSeconds, passedSince: $0) } ?? false
            }
            betterSince = nil
            if choice != nil, changed.map({ has(HintTextLayout.restSeconds, passedSince: $0) }) ?? true { return true }
            if self.choice != nil { (self.choice, changed) = (nil, time) }
            return false
        }
    }

    /// Hint, at its point on the display, whose text has to be placed. Unit: half the display's height.
    struct Request {
        var id: String
        var x: Double
        var y: Double
    }

    /// Directions from a hint towards the middle of the display. They change only when the hint is clearly past a
    /// corner or past the middle of the display, so that the tremor of a head moves no box.
    private struct Inward: Equatable, Sendable {
        /// Whether the hint is on the left or right border, rather than the upper or lower one.
        var isSide: Bool
        var x: Double
        var y: Double

        /// Distance past a corner or the middle at which a direction changes. Unit: half the display's height.
        private static let slack = 0.1

        init(_ hint: Request, _ border: DisplayBorder, after old: Inward?) {
            let beyond = (border.inner.y - hint.y.magnitude) - (border.inner.x - hint.x.magnitude)
            isSide = beyond.magnitude < Self.slack ? old?.isSide ?? (beyond >= 0) : beyond >= 0
            x = hint.x.magnitude < Self.slack ? old?.x ?? (hint.x > 0 ? -1 : 1) : (hint.x > 0 ? -1 : 1)
            y = hint.y.magnitude < Self.slack ? old?.y ?? (hint.y > 0 ? -1 : 1) : (hint.y > 0 ? -1 : 1)
        }
    }

    private var memories: [String: Memory] = [:]

    /// Half the side of the square that an arrow occupies, as a fraction of the spacing between hints.
    private static let arrowShare = 0.2
    /// Least distance of a box from its arrow and from the display's border. Unit: half the display's height.
    private static let gap = 0.02
    /// Distance that a box keeps from everything else, and distance that a new position needs. The former exceeds the
    /// sum of two changes that are too small to be sent. Unit: half the display's height.
    private static let margin = 0.04
    private static let entryMargin = 0.06
    /// Least time between two changes of a box, and time for which a better position must have been free before the box
    /// moves to it. Unit: seconds.
    private static let restSeconds = 0.5
    private static let patienceSeconds = 2.0

    /// Returns the boxes of the hints, in the order of the hints; nil for a hint that has no room.
    ///
    /// - Parameters:
    ///   - requests: hints, the most important first.
    ///   - size: size of the texts.
    ///   - spacing: least spacing of hints along the border. Unit: half the display's height.
    ///   - occupied: areas of labels and marks.
    mutating func update(
        _ requests: [Request], size: HintTextSize, border: DisplayBorder, spacing: Double,
        besides occupied: [DisplayArea], at time: BootTime
    ) -> [HintBox?] {
        let side = 2 * Self.arrowShare * spacing
        let arrows = requests.map { DisplayArea(x: $0.x, y: $0.y, width: side, height: side) }
        let inward = requests.map { Inward($0, border, after: memories[$0.id]?.inward) }
        let choices = zip(requests, inward).map { Self.choices($0, size, border, $1, arrow: side / 2) }
        var boxes = [DisplayArea?](repeating: nil, count: requests.count)
        func isFree(_ area: DisplayArea, for number: Int, margin: Double) -> Bool {
            !occupied.contains { $0.meets(area, margin: margin) }
                && !arrows.indices.contains { arrows[$0].meets(area, margin: $0 == number ? 0 : margin) }
                && !boxes.indices.contains { $0 != number && boxes[$0]?.meets(area, margin: margin) ?? false }
        }
        func free(before end: Int, for number: Int) -> Int? {
            choices[number].prefix(end).firstIndex { isFree($0, for: number, margin: Self.entryMargin) }
        }
        var held = requests.map { memories[$0.id] ?? Memory() }
        for number in requests.indices {
            let isTurned = held[number].inward.map { $0 != inward[number] } ?? false
            held[number].inward = inward[number]
            guard let choice = held[number].choice else { continue }
            let area = choice < choices[number].count ? choices[number][choice] : nil
            boxes[number] = area.flatMap { isFree($0, for: number, margin: Self.margin) ? $0 : nil }
            // The directions have changed, so that the same number now means a different position.
            if isTurned, boxes[number] != nil { held[number].changed = time }
        }
        for number in requests.indices {
            let end = boxes[number] == nil ? choices[number].count : held[number].choice ?? 0
            let choice = free(before: end, for: number)
            guard held[number].changes(to: choice, isHeld: boxes[number] != nil, at: time) else { continue }
            held[number] = Memory(choice: choice, inward: inward[number], changed: time)
            boxes[number] = choice.map { choices[number][$0] }
        }
        memories = Dictionary(zip(requests.map(\.id), held)) { first, _ in first }
        return boxes.map { $0?.box(aspect: border.aspect) }
    }

    /// Returns the positions for the text of a hint, the best first: towards the middle of the display, then along the
    /// border, then farther from the border.
    private static func choices(
        _ hint: Request, _ size: HintTextSize, _ border: DisplayBorder, _ inward: Inward, arrow: Double
    ) -> [DisplayArea] {
        let (width, height) = (2 * size.width, 2 * size.height)
        let (maximumX, maximumY) = (border.aspect - gap - width / 2, 1 - gap - height / 2)
        guard maximumX >= 0, maximumY >= 0 else { return [] }
        let (beside, under) = (arrow + gap + width / 2, arrow + gap + height / 2)
        let row = height + 2 * entryMargin
        let (inwardX, inwardY) = (inward.x, inward.y)
        let offsets: [(Double, Double)] =
            inward.isSide
            ? [
                (inwardX * beside, 0), (inwardX * beside, row), (inwardX * beside, -row), (inwardX * width / 2, under),
                (inwardX * width / 2, -under), (inwardX * beside, 2 * row), (inwardX * beside, -2 * row),
            ]
            : [
                (0, inwardY * under), (inwardX * beside, 0), (-inwardX * beside, 0), (width / 2, inwardY * under),
                (-width / 2, inwardY * under), (0, inwardY * (under + row)), (width / 2, inwardY * (under + row)),
                (-width / 2, inwardY * (under + row)), (0, inwardY * (under + 2 * row)),
            ]
        return offsets.map { x, y in
            DisplayArea(
                x: min(max(hint.x + x, -maximumX), maximumX), y: min(max(hint.y + y, -maximumY), maximumY),
                width: width,
                height: height)
        }
    }
}

extension DisplayArea {
    fileprivate func box(aspect: Double) -> HintBox {
        HintBox(
            u: (left + right) / 2 / aspect, v: (top + bottom) / 2, width: (right - left) / aspect, height: bottom - top)
    }
}
