import Geodesy
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

    /// Coefficient of refraction: a level ray is bent down by this share of the earth's curvature, in the mean.
    static let refraction = 0.13

    /// Height of the ground at a position above that under the wearer, metres, less what the earth's curvature takes
    /// away; nil where the terrain is unknown.
    ///
    /// - Parameter distance: distance over ground from the wearer. Unit: metres.
    func rise(at position: GeodeticPosition, distance: Double) -> Double? {
        terrain.height(at: position).map { $0 - height - Self.drop(distance: distance) }
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

    /// Ground under the wearer; nil without a position or where the terrain is unknown.
    mutating func update(_ terrain: Terrain?, _ viewpoint: Viewpoint?) -> WearerGround? {
        guard let terrain, let viewpoint, let height = terrain.height(at: viewpoint.position) else {
            level = EyeLevel()
            return nil
        }
        return WearerGround(
            terrain: terrain,
            height: level.update(height: height, generation: viewpoint.generation, at: viewpoint.time))
    }
}
