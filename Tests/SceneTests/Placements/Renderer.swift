import Geometry
import Glibc
import Model
import Scene

// What a renderer does with the values of a scene, by docs/placements.md.

extension Pulse {
    /// Phase in [0, 1), also for times before the epoch; 0 without a period.
    func phase(at time: BootTime) -> Double {
        // Integer nanoseconds are as exact after a year as after a second.
        guard let length = BootTime(seconds: period)?.nanoseconds, length > 0 else { return 0 }
        let (elapsed, overflow) = time.nanoseconds.subtractingReportingOverflow(epoch.nanoseconds)
        guard !overflow else { return 0 }
        let rest = elapsed % length
        return Double(rest < 0 ? rest + length : rest) / Double(length)
    }

    func opacity(at time: BootTime) -> Double { 1 + wave(at: time) * (opacity - 1) }

    func scale(at time: BootTime) -> Double { 1 + wave(at: time) * (scale - 1) }

    private func wave(at time: BootTime) -> Double {
        let sine = sin(.pi * phase(at: time))
        return sine * sine
    }
}

extension ArrowMotion {
    /// Fraction of the path to the next arrow's point, in [0, 1).
    func phase(at time: BootTime) -> Double {
        let periods = time.seconds(since: epoch) / period
        let phase = periods - periods.rounded(.down)
        return phase < 1 ? phase : 0
    }
}

extension RoutePlan {
    /// Position and direction of an arrow at a fraction of its path; nil if the route has no position there.
    func arrow(_ number: Int, share: Double) -> (position: GeodeticPosition, bearing: Double)? {
        let along = (Double(number) + share) * settings.arrowSpacingMetres
        return position(along: along).map { ($0, bearing(along: along)) }
    }
}

extension LabelSlot {
    /// Height above the wearer's eyes of a label that is drawn at a horizontal distance: `y = d·tan(ε₀ + k·Δε)`. Unit:
    /// metres.
    func height(at distance: Double) -> Double { distance * tan(elevation) }
}

extension DisplayDistance {
    /// Point at which to draw. Both points and the result are in the same frame, such as the scene. Unit: metres.
    static func point(_ trueScene: Vector3, from eye: Vector3, settings: SceneSettings.Placements) -> Vector3 {
        let line = trueScene - eye
        guard let direction = line.normalized else { return trueScene }
        return eye + direction * metres(for: line.norm, settings: settings)
    }
}

extension HeadLocked {
    /// Head-locked point in the scene for one pose, for renderers without body axes. Frame: scene. Unit: metres.
    static func pointInScene(_ pointInBody: Vector3, of viewpoint: Viewpoint) -> Vector3 {
        viewpoint.positionInScene + viewpoint.rotationSceneFromBody * pointInBody
    }
}

extension HintTracker {
    /// Update for a display whose border no other placement shares.
    mutating func update(
        pointInBody: Vector3, upInBody: Vector3 = Vector3(0, 1, 0), camera: Camera, settings: SceneSettings.Placements
    ) -> (isVisible: Bool, hint: OffscreenHint?) {
        update(
            pointInBody: pointInBody, upInBody: upInBody, border: DisplayBorder(camera, inset: settings.hintInset),
            settings: settings)
    }
}

extension Ray {
    /// Line of sight of the wearer, along body −z.
    static func lineOfSight(of viewpoint: Viewpoint) -> Ray? {
        Ray(origin: viewpoint.positionInScene, direction: viewpoint.rotationSceneFromBody * Vector3(0, 0, -1))
    }
}

/// Offset from the wearer given by bearing and distance. Frame: scene with its −z axis at true north.
enum BearingOffset {
    /// Offset `(d·sin β, height, −d·cos β)`; south is +z. Units: metres; radians clockwise from true north.
    static func inScene(bearing: Double, distance: Double, height: Double = 0) -> Vector3 {
        Vector3(distance * sin(bearing), height, -distance * cos(bearing))
    }

    /// Bearing of an offset, clockwise from north, radians in [0, 2π); nil for a vertical or zero offset.
    static func bearing(ofScene offset: Vector3) -> Double? {
        guard offset.x != 0 || offset.z != 0 else { return nil }
        return Angle.positive(atan2(offset.x, -offset.z))
    }
}
