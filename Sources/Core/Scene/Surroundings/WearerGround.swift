import Geometry
import Model

/// Terrain as seen by the wearer: the height of the ground at other positions, relative to the ground under the wearer.
///
/// Only differences of heights are used. The reference level of an elevation model cancels in them, be it the geoid
/// EGM96 of SRTM or EGM2008 of Copernicus.
public struct WearerGround: Sendable {
    package let terrain: Terrain
    /// Height of the ground under the wearer according to the terrain. It is smoothed like the height of the eyes.
    /// Unit: metres.
    let height: Double
    /// Fraction of the differences that is applied. It rises or falls within a second or two where known terrain begins
    /// or ends under the wearer, so that placements do not jump.
    let share: Double

    /// Coefficient of refraction. On average, a horizontal ray is bent down by this fraction of the earth's curvature.
    static let refraction = 0.13

    /// Returns the height of the ground at a position above the ground under the wearer, minus the drop due to the
    /// earth's curvature. It is reduced with the distance; nil if the terrain is unknown. Unit: metres.
    ///
    /// - Parameter distance: horizontal distance from the wearer. Unit: metres.
    func rise(at position: GeodeticPosition, distance: Double) -> Double? {
        let share = share(distance: distance)
        guard share > 0 else { return nil }
        return wholeRise(at: terrain.coordinates(of: position), distance: distance).map { share * $0 }
    }

    /// Returns the fraction of the differences that is applied at a distance in metres. It is 0 at `reach` and beyond,
    /// where not all of the terrain is known.
    func share(distance: Double) -> Double {
        share * max(0, min(1, (Self.reach - distance) / (0.2 * Self.reach)))
    }

    /// Distance up to which terrain is known, however far the wearer moves before a new window is made. Unit: metres.
    static let reach = Terrain.reach - Terrain.step

    /// Returns the rise of the ground as in `rise(at:distance:)`, but at a point of the terrain's window and not
    /// reduced with the distance.
    func wholeRise(at point: Terrain.Coordinates, distance: Double) -> Double? {
        terrain.height(at: point).map { $0 - height - Self.drop(distance: distance) }
    }

    /// Returns how far a point that is as high as the wearer appears below the horizontal at a distance. Units: metres.
    static func drop(distance: Double) -> Double {
        distance * distance * (1 - refraction) / (2 * Ellipsoid.semiMajorAxis)
    }
}

/// Ground under the wearer, smoothed from scene to scene like the height of the eyes, so that both rise together on a
/// slope.
struct WearerGroundMemory {
    private var level = EyeLevel()
    private var last: WearerGround?
    /// Time of the previous scene; nil while the wearer has no position.
    private var time: BootTime?

    /// Time for which terrain is faded in or out when known terrain begins or ends under the wearer. Unit: seconds.
    private static let fade = 2.0

    /// Updates the ground under the wearer; nil if there is no position or the terrain is unknown.
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
