/// Kind of area in a cell of a plan. There is a border between two different areas, unless one of them is a door.
package struct PlanArea: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Outside the drawing.
    package static let outside = PlanArea(rawValue: 0)
    /// Walkable area.
    package static let floor = PlanArea(rawValue: 1)
    /// Inside a wall.
    package static let wall = PlanArea(rawValue: 255)
    /// In an opening.
    package static let door = PlanArea(rawValue: 254)
    /// Range of the numbers of rooms; adjacent rooms have different numbers.
    package static let rooms: ClosedRange<UInt8> = 2...253

    package var isRoom: Bool { Self.rooms.contains(rawValue) }
}

/// Border between two points. A larger value is more serious.
package enum PlanBorder: Int, Comparable {
    case none
    /// Out of a room, or across the edge of the drawing.
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
