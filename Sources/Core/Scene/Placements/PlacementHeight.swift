import Geometry
import Model

/// Height of a placement with its reference. GNSS heights jump by tens of metres. A placement whose absolute height
/// does not matter is therefore placed relative to the wearer.
///
/// Unit: metres.
public enum PlacementHeight: Hashable, Sendable {
    /// No height is given. The placement is as high above the ground at its position as the wearer's eyes are.
    case unstated
    /// Height above the wearer's eyes; 0 is the horizon.
    case eyeRelative(Double)
    /// Height above the ground at the position. If the terrain is unknown, it is above the ground on which the wearer
    /// stands.
    case groundRelative(Double)
    /// Height above the roof of the building at the position. If no building is known there, it is above the ground.
    case roofRelative(Double)
    /// Height above the WGS84 ellipsoid.
    case ellipsoidal(Double)
    /// Height above mean sea level.
    case meanSeaLevel(Double)

    package static let atEye = PlacementHeight.eyeRelative(0)
}

extension SceneMap {
    /// Returns the point in the scene for a position whose height is relative to one of several references.
    ///
    /// GNSS heights jump by tens of metres, so placements relative to the wearer do not use them. A height above the
    /// ellipsoid or mean sea level is compared with the wearer's own height. While that is unknown, the placement is
    /// put on the wearer's horizon.
    ///
    /// Frame: scene. Unit: metres.
    ///
    /// - Parameters:
    ///   - position: geodetic position whose own height is ignored.
    ///   - surroundings: the ground around the wearer, and the buildings on it.
    public func pointInScene(
        of position: GeodeticPosition, height: PlacementHeight, wearer: Viewpoint,
        surroundings: Surroundings = .unknown, settings: SceneSettings.Placements
    ) -> Vector3 {
        switch height {
        case .unstated: return point(of: position, overGround: 0, surroundings, wearer)
        case .eyeRelative(let metres): return point(of: position, above: metres, wearer)
        case .groundRelative(let metres):
            return point(of: position, overGround: metres - settings.eyeHeightMetres, surroundings, wearer)
        case .roofRelative(let metres):
            var point = point(of: position, overGround: metres - settings.eyeHeightMetres, surroundings, wearer)
            let distance = SceneAxes.horizontalNorm(point - wearer.positionInScene)
            point.y += surroundings.roof(at: position, distance: distance)
            return point
        case .ellipsoidal(let metres):
            return point(of: position, at: metres, wearer)
        case .meanSeaLevel(let metres):
            return point(of: position, at: metres + wearer.geoid.separation(at: position), wearer)
        }
    }

    private func point(of position: GeodeticPosition, above metres: Double, _ wearer: Viewpoint) -> Vector3 {
        var place = position
        place.ellipsoidalHeight = wearer.position.ellipsoidalHeight
        var point = pointInScene(of: place)
        // The earth's curvature would put a distant place below the horizon, but a height relative to the wearer
        // remains relative to the horizon.
        point.y = wearer.positionInScene.y + metres
        return point
    }

    /// Returns the point that is `metres` above the wearer's eyes, plus the rise of the ground at the position.
    private func point(
        of position: GeodeticPosition, overGround metres: Double, _ surroundings: Surroundings, _ wearer: Viewpoint
    ) -> Vector3 {
        var point = point(of: position, above: metres, wearer)
        let distance = SceneAxes.horizontalNorm(point - wearer.positionInScene)
        point.y += surroundings.rise(at: position, distance: distance)
        return point
    }

    /// Returns the point at an ellipsoidal height, or on the horizon while the wearer's height is unknown.
    private func point(of position: GeodeticPosition, at height: Double, _ wearer: Viewpoint) -> Vector3 {
        guard wearer.hasHeight else { return point(of: position, above: 0, wearer) }
        var place = position
        place.ellipsoidalHeight = height
        return pointInScene(of: place)
    }
}
