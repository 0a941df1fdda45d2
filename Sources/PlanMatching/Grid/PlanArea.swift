/// Area in which a cell of a plan is. Areas of which neither is a door have a border between them.
struct PlanArea: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    /// Beyond all that is drawn.
    static let outside = PlanArea(rawValue: 0)
    /// Where one walks.
    static let floor = PlanArea(rawValue: 1)
    /// Inside a wall.
    static let wall = PlanArea(rawValue: 255)
    /// In an opening.
    static let door = PlanArea(rawValue: 254)
    /// Numbers of rooms: rooms that touch have different ones.
    static let rooms: ClosedRange<UInt8> = 2...253

    var isRoom: Bool { Self.rooms.contains(rawValue) }
}

/// What one passes between two points, the more serious the larger.
enum PlanBorder: Int, Comparable {
    case none
    /// Out of a room, or between the drawing and what is beyond.
    case border
    /// Into a room.
    case room
    /// Through a wall.
    case wall

    init(from area: PlanArea, to next: PlanArea) {
        switch (area, next) {
        case (.door, _), (_, .door), (.wall, _): self = .none
        case (_, .wall): self = .wall
        default: self = next.isRoom ? .room : .border
        }
    }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
