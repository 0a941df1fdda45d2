import Geometry
import Model

/// Terrain as seen from the wearer: how far the ground elsewhere is above or below that under the wearer.
///
/// Heights of the ground count only as such differences, in which the level that an elevation model refers to cancels:
/// the geoid EGM96 of SRTM as well as EGM2008 of Copernicus.
public struct WearerGround: Sendable {
    /// Terrain around the wearer.
    public let terrain: Terrain
    /// Height of the ground under the wearer, by the terrain, followed as the wearer's eyes are. Unit: metres.
    let height: Double
    /// Share of the differences that counts: it grows and falls in a second or two where terrain begins or ends under
    /// the wearer, so that nothing jumps.
    let share: Double

    /// Coefficient of refraction: a level ray is bent down by this share of the earth's curvature, in the mean.
    static let refraction = 0.13

    /// Height of the ground at a position above that under the wearer, metres, less what the earth's curvature takes
    /// away, as far as it counts at a distance; nil where the terrain is unknown.
    ///
    /// - Parameter distance: distance over ground from the wearer. Unit: metres.
    func rise(at position: GeodeticPosition, distance: Double) -> Double? {
        let share = share(distance: distance)
        guard share > 0 else { return nil }
        return wholeRise(at: terrain.coordinates(of: position), distance: distance).map { share * $0 }
    }

    /// Share of the differences that counts for a thing at a distance, metres: none from `reach` on, beyond which not
    /// all of the terrain is known.
    func share(distance: Double) -> Double {
        share * max(0, min(1, (Self.reach - distance) / (0.2 * Self.reach)))
    }

    /// Distance up to which terrain is known wherever the wearer goes. Unit: metres.
    static let reach = Terrain.reach - Terrain.step

    /// The same at a point of the terrain's window, also at the end of its reach.
    func wholeRise(at point: Terrain.Coordinates, distance: Double) -> Double? {
        terrain.height(at: point).map { $0 - height - Self.drop(distance: distance) }
    }

    /// What is at the wearer's height at a distance is seen this far below the horizontal. Units: metres.
    static func drop(distance: Double) -> Double {
        distance * distance * (1 - refraction) / (2 * Ellipsoid.semiMajorAxis)
    }
}

/// Ground under the wearer from scene to scene, smoothed as the height of the eyes is, so that both rise together on a
/// slope.
struct WearerGroundMemory {
    private var level = EyeLevel()
    private var last: WearerGround?
    /// Time of the scene before; nil while the wearer has no position.
    private var time: BootTime?

    /// Time in which terrain that begins or ends under the wearer comes to count, or ceases to. Unit: seconds.
    private static let fade = 2.0

    /// Ground under the wearer; nil without a position or where the terrain is unknown.
    mutating func update(_ terrain: Terrain?, _ viewpoint: Viewpoint?) -> WearerGround? {
        guard let viewpoint else {
            self = WearerGroundMemory()
            return nil
        }
        let step = time.map { max(0, viewpoint.time.seconds(since: $0)) / Self.fade } ?? 1
        time = viewpoint.time
        if let terrain, let height = terrain.height(at: viewpoint.position) {
            let followed = level.update(height: height, generation: viewpoint.generation, at: viewpoint.time)
            last = WearerGround(terrain: terrain, height: followed, share: min(1, (last?.share ?? 0) + step))
        } else {
            level = EyeLevel()
            last = last.flatMap { last in
                last.share > step
                    ? WearerGround(terrain: last.terrain, height: last.height, share: last.share - step) : nil
            }
        }
        return last
    }
}
