import Geodesy
import Geometry
import Model

extension SceneMap {
    /// Where a place is in the scene, its height being of one of the kinds.
    ///
    /// Heights of satellites jump by tens of metres, so that what is placed by the wearer never uses one. A height above the
    /// ellipsoid or above mean sea level is compared with the wearer's own; where the two count from different surfaces and
    /// the difference is not known, it would be wrong by up to 100 m: the place is then put on the wearer's horizon.
    ///
    /// Frame: scene. Unit: metres.
    ///
    /// - Parameter position: whose own height does not count.
    public func pointInScene(
        of position: GeodeticPosition, height: PlacementHeight, wearer: Viewpoint, settings: SceneSettings.Placements
    ) -> Vector3 {
        switch height {
        case .eyeRelative(let metres): return point(of: position, above: metres, wearer)
        case .groundRelative(let metres):
            return point(of: position, above: metres - settings.eyeHeightMetres, wearer)
        case .ellipsoidal(let metres):
            return point(of: position, at: wearer.plainHeight(ofEllipsoidal: metres), wearer)
        case .meanSeaLevel(let metres):
            return point(of: position, at: wearer.plainHeight(ofSeaLevel: metres), wearer)
        }
    }

    /// Level with the wearer's eyes, and so much above.
    private func point(of position: GeodeticPosition, above metres: Double, _ wearer: Viewpoint) -> Vector3 {
        var place = position
        place.ellipsoidalHeight = wearer.position.ellipsoidalHeight
        var point = pointInScene(of: place)
        // The earth's curvature takes the place below the horizon; what is placed by the wearer stays on it.
        point.y = wearer.positionInScene.y + metres
        return point
    }

    /// At a height that counts as the wearer's does; nil is not known.
    private func point(of position: GeodeticPosition, at height: Double?, _ wearer: Viewpoint) -> Vector3 {
        guard let height else { return point(of: position, above: 0, wearer) }
        var place = position
        place.ellipsoidalHeight = height
        return pointInScene(of: place)
    }
}

extension Viewpoint {
    /// A height above the ellipsoid as one that counts from where the wearer's counts; nil where that cannot be told.
    func plainHeight(ofEllipsoidal metres: Double) -> Double? {
        switch heightKind {
        case .ellipsoidal: metres
        case .meanSeaLevel: geoidSeparation.map { metres - $0 }
        case .unknown: nil
        }
    }

    /// The same for a height above mean sea level.
    func plainHeight(ofSeaLevel metres: Double) -> Double? {
        switch heightKind {
        case .ellipsoidal: geoidSeparation.map { metres + $0 }
        case .meanSeaLevel: metres
        case .unknown: nil
        }
    }
}
