import Geometry
import Model
import Scene
import Simulation

/// How fast things that are fixed to the earth are seen to move, beyond what the wearer's own motion makes of them.
struct ContentMotion {
    private struct Moment {
        var seconds: Double
        var truth: WalkTruth
        var view: Viewpoint
        /// The wearer by the filter and by the published alignment, from where he is. Frame: ENU. Unit: metres.
        var filterError: Vector3
        var publishedError: Vector3
    }

    private let plane: LocalTangentPlane
    private var moments: [Moment] = []
    /// Of the wearer's place, sum of squares over ground. Unit: m².
    private var filterSquares = 0.0
    private var publishedSquares = 0.0
    private var within = 0
    private(set) var walking: [Double] = []
    private(set) var standing: [Double] = []

    /// Distance of the two moments that are compared, in moments: half a second at `interval`.
    private static let lag = 5
    /// Between two moments. Unit: seconds.
    static let interval = 0.1

    init(plane: LocalTangentPlane) { self.plane = plane }

    var count: Int { walking.count + standing.count }
    /// Error of the wearer's place by the published alignment, against that of the filter.
    var placeRatio: Double { (publishedSquares / filterSquares).squareRoot() }
    /// Share of the moments in which the place by the published alignment was within its accuracy.
    var shareWithin: Double { Double(within) / Double(max(1, count)) }

    /// Takes the next moment.
    ///
    /// - Parameter distance: of the thing ahead, metres.
    mutating func add(
        _ view: Viewpoint, pose: PoseEstimate, truth: WalkTruth, at seconds: Double, distance: Double = 10
    ) {
        guard let geodetic = pose.geodetic else { return }
        let moment = Moment(
            seconds: seconds, truth: truth, view: view, filterError: plane.pointENU(of: geodetic) - truth.positionENU,
            publishedError: plane.pointENU(of: view.position) - truth.positionENU)
        moments.append(moment)
        guard moments.count > Self.lag else { return }
        if moments.count > Self.lag + 1 { moments.removeFirst() }
        guard let first = moments.first, first.view.generation == view.generation else { return }
        note(moment)
        let rate = degreesPerSecond(from: first, to: moment, distance: distance)
        let (before, after) = (first.truth.velocityENU, truth.velocityENU)
        if before.norm < 0.05, after.norm < 0.05 { standing.append(rate) } else { walking.append(rate) }
    }

    private mutating func note(_ moment: Moment) {
        let (a, b) = (moment.filterError, moment.publishedError)
        filterSquares += a.x * a.x + a.y * a.y
        publishedSquares += b.x * b.x + b.y * b.y
        let radius = moment.view.horizontalAccuracy ?? 0
        if b.x * b.x + b.y * b.y <= radius * radius { within += 1 }
    }

    private func degreesPerSecond(from first: Moment, to last: Moment, distance: Double) -> Double {
        let sight = first.truth.rotationENUFromBody * Vector3(0, 0, -1)
        let ahead = Vector3(sight.x, sight.y, 0) * (1 / max(1e-9, (sight.x * sight.x + sight.y * sight.y).squareRoot()))
        let thing = first.truth.positionENU + ahead * distance
        guard let place = plane.position(ofENU: thing) else { return .infinity }
        var change = offset(of: thing, place, at: last) - offset(of: thing, place, at: first)
        change -= ahead * ahead.dot(change)
        return Angle.degrees(radians: change.norm / distance) / (last.seconds - first.seconds)
    }

    /// Of a thing as it is drawn from where it is, as the wearer sees it. Frame: ENU. Unit: metres.
    private func offset(of thing: Vector3, _ place: GeodeticPosition, at moment: Moment) -> Vector3 {
        let drawn = moment.view.map.pointInScene(of: place) - moment.view.positionInScene
        let inBody = moment.view.rotationSceneFromBody.inverse * drawn
        return moment.truth.rotationENUFromBody * inBody - (thing - moment.truth.positionENU)
    }

    /// Of which 95 % are not larger; 0 of none.
    static func most(_ rates: [Double]) -> Double {
        let sorted = rates.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    }
}
