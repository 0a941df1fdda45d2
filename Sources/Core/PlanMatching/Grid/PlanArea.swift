/// Area in which a cell of a plan is. Areas of which neither is a door have a border between them.
package struct PlanArea: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Beyond all that is drawn.
    package static let outside = PlanArea(rawValue: 0)
    /// Where one walks.
    package static let floor = PlanArea(rawValue: 1)
    /// Inside a wall.
    package static let wall = PlanArea(rawValue: 255)
    /// In an opening.
    package static let door = PlanArea(rawValue: 254)
    /// Numbers of rooms: rooms that touch have different ones.
    package static let rooms: ClosedRange<UInt8> = 2...253

    package var isRoom: Bool { Self.rooms.contains(rawValue) }
}

/// What one passes between two points, the more serious the larger.
package enum PlanBorder: Int, Comparable {
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

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
