import Geometry

/// Line of sight from the wearer's eyes to a point, over the terrain and past buildings.
struct LineOfSight {
    private let surroundings: Surroundings
    private let start: GeodeticPosition
    private let end: GeodeticPosition
    /// Vector from the eyes to the point. Frame: scene. Unit: metres.
    private let line: Vector3
    /// Horizontal length. Unit: metres.
    private let distance: Double
    /// Whether the point lies beyond the distance up to which terrain is known.
    private let isCut: Bool
    /// Fraction of the ground's rise that was applied when the point was placed. The same fraction therefore applies to
    /// all ground in between.
    private let share: Double
    /// Height of the wearer's eyes above the ground that is assumed when placements are positioned. Unit: metres.
    private let eyeHeight: Double

    /// Distance from either end within which terrain is ignored, because an elevation model does not resolve shapes
    /// smaller than the spacing of its samples. Unit: metres.
    static let blindLength = 30.0
    /// Distance from either end within which buildings are ignored, because the wearer's position and the map have
    /// errors of this size. Unit: metres.
    static let blindLengthOfBuildings = 5.0
    /// Height above the line at which an obstacle hides a point that was visible. It covers the errors of adjacent
    /// elevation models, and is less than a storey. Unit: metres.
    static let margin = 2.0
    /// Length of the line within a building at which the building hides a point that was visible. A line with a shorter
    /// length inside only passes a corner. Unit: metres.
    static let maximumGrazing = 4.0

    /// Makes the line; nil if the point has no geodetic position. Frame of `point`: scene. Unit: metres.
    init?(_ viewpoint: Viewpoint, to point: Vector3, _ surroundings: Surroundings, eyeHeight: Double) {
        let whole = point - viewpoint.positionInScene
        let wholeDistance = SceneAxes.horizontalNorm(whole)
        isCut = wholeDistance > WearerGround.reach
        line = (isCut ? WearerGround.reach / wholeDistance : 1) * whole
        share = surroundings.ground?.share(distance: wholeDistance) ?? 0
        guard let end = viewpoint.map.position(ofScene: viewpoint.positionInScene + line) else { return nil }
        self.surroundings = surroundings
        self.eyeHeight = eyeHeight
        self.end = end
        start = viewpoint.position
        distance = SceneAxes.horizontalNorm(line)
    }

    /// Whether the point is hidden; nil if it is too far away to know. A line that grazes the ground, a roof or a
    /// corner keeps the previous result.
    func isHidden(wasHidden: Bool) -> Bool? {
        if isBehindBuilding(wasHidden: wasHidden) { return true }
        return isCut ? nil : obstruction ?? -.infinity > (wasHidden ? 0 : Self.margin)
    }

    /// Returns the height above the line of a point that is `rise` above the ground under the wearer, at the fraction
    /// `share` of the line's length. Unit: metres.
    private func height(_ rise: Double, at share: Double) -> Double { rise - eyeHeight - share * line.y }

    // MARK: - Terrain

    /// Greatest height of the terrain above the line; negative if the line passes above all terrain, and nil if no
    /// height along the line is known. Unit: metres.
    private var obstruction: Double? {
        guard let ground = surroundings.ground, share > 0, distance > 2 * Self.blindLength else { return nil }
        let from = ground.terrain.coordinates(of: start), to = ground.terrain.coordinates(of: end)
        let (rows, columns) = (to.row - from.row, to.column - from.column)
        // There are two steps for each row of nodes or for each column, whichever the line crosses more often.
        let count = (2 * max(rows.magnitude, columns.magnitude)).rounded(.up)
        let blind = Self.blindLength / distance
        var greatest: Double?
        // Beyond the window no height is known.
        for number in stride(from: max(1, (blind * count).rounded(.up)), through: min(count, 4096), by: 1) {
            let fraction = number / count
            if fraction > 1 - blind { break }
            let coordinates = Terrain.Coordinates(
                row: from.row + fraction * rows, column: from.column + fraction * columns)
            guard let rise = ground.wholeRise(at: coordinates, distance: fraction * distance) else { continue }
            greatest = max(greatest ?? -.infinity, height(share * rise, at: fraction))
        }
        return greatest
    }

    // MARK: - Buildings

    /// Whether the line enters a building below its roof. The buildings that contain the point and the wearer are
    /// ignored. The wearer's building, however, continues to hide a hidden point until the wearer is clearly inside,
    /// since noise moves a position beside a wall through the wall.
    private func isBehindBuilding(wasHidden: Bool) -> Bool {
        guard let buildings = surroundings.buildings, distance > 2 * Self.blindLengthOfBuildings else { return false }
        let blind = Self.blindLengthOfBuildings / distance
        let (margin, minimumLength) = wasHidden ? (0, 0) : (Self.margin, Self.maximumGrazing)
        let depth = wasHidden ? Self.blindLengthOfBuildings : 0
        var isHidden = false
        buildings.visit(from: buildings.point(start), deeperThan: depth, to: buildings.point(end)) {
            footprint, shares in
            let first = max(blind, shares.lowerBound), last = min(1 - blind, shares.upperBound)
            guard first <= last, (last - first) * distance >= minimumLength else { return false }
            // The line is straight, so above a flat roof it is lowest where it enters or leaves the building.
            let lowest = line.y > 0 ? first : last
            let distanceAtLowest = lowest * distance
            guard distanceAtLowest < Building.reach(height: footprint.height) + (wasHidden ? Self.blindLength : 0)
            else {
                return false
            }
            let top = surroundings.rise(at: footprint.middle, distance: distanceAtLowest) + footprint.height
            isHidden = height(top, at: lowest) > margin
            return isHidden
        }
        return isHidden
    }
}
