import Geodesy
import Scene

/// Places among which the scene chooses, held ready: reading them costs nothing, and the store is queried again when
/// the wearer has moved on, the filter is another one or the store has changed.
///
/// For use from the reactor's thread.
package final class PlaceCandidates {
    private let desk: PlaceDesk
    /// Time of a monotone clock. Unit: nanoseconds.
    private let clock: () -> Int64
    private var isAsking = false
    private var asked: Question?
    private var notBefore = Int64.min

    /// Places within reach of the wearer's position at the last query, the nearest first.
    package private(set) var places: [Place] = []
    /// Counter that grows whenever `places` change.
    package private(set) var revision: UInt64 = 0
    /// Called when `places` have changed.
    package var onChange: () -> Void = {}

    /// Filter by which the places are queried.
    package var filter: PlaceFilter
    package private(set) var settings: SceneSettings.Places

    private struct Question {
        var center: GeodeticPosition
        var filter: PlaceFilter
        var settings: SceneSettings.Places
        var revision: UInt64
    }

    /// Distance that the wearer moves before the places are queried again. Unit: metres.
    package static let step = 10.0
    /// Factor between the number of places that are queried and shown: the nearest now are among the nearest at the
    /// last query.
    package static let spare = 4
    /// Pause between two queries, while an import changes the store all the time. Unit: nanoseconds.
    private static let pause: Int64 = 250_000_000
    private static let pauseAfterFailure: Int64 = 5_000_000_000

    package init(_ desk: PlaceDesk, settings: SceneSettings.Places, clock: @escaping () -> Int64) {
        self.desk = desk
        self.settings = settings
        self.clock = clock
        filter = PlaceFilter(settings: settings)
    }

    /// Takes other settings. A radius that no client has chosen is that of the settings, and any is within their
    /// limits.
    package func apply(_ settings: SceneSettings.Places) {
        if filter.radiusMetres == self.settings.radiusMetres { filter.radiusMetres = settings.radiusMetres }
        filter.radiusMetres = min(max(filter.radiusMetres, settings.leastRadiusMetres), settings.mostRadiusMetres)
        self.settings = settings
    }

    /// Looks whether the places still do for a wearer who is here; cheap enough for every frame.
    package func update(around center: GeodeticPosition) {
        guard !isAsking, clock() >= notBefore, isOutdated(center) else { return }
        isAsking = true
        let question = Question(center: center, filter: filter, settings: settings, revision: desk.revision)
        // What comes into the circle before the next question, and what stays by hysteresis beyond it.
        let radius = filter.reach(settings) + 2 * Self.step
        let limit = settings.mostShown * Self.spare
        desk.perform { store in
            try store.around(question.center, radius: radius, filter: question.filter, limit: limit)
        } then: { [weak self] result in
            self?.take(result, for: question)
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let asked else { return true }
        return asked.revision != desk.revision || asked.filter != filter || asked.settings != settings
            || Self.distance(asked.center, center) > Self.step
    }

    private func take(_ result: Result<[Place], any Error>, for question: Question) {
        isAsking = false
        guard case .success(let found) = result else {
            // The places found before stay, and the service of the store has logged the failure.
            notBefore = clock() + Self.pauseAfterFailure
            return
        }
        notBefore = clock() + Self.pause
        asked = question
        guard found != places else { return }
        places = found
        revision += 1
        onChange()
    }

    /// Distance on a plane, good for differences of metres. Unit: metres.
    private static func distance(_ from: GeodeticPosition, _ to: GeodeticPosition) -> Double {
        let metresPerDegree = 111_320.0
        let north = (to.latitudeDegrees - from.latitudeDegrees) * metresPerDegree
        let turn = normalizedLongitude(to.longitudeDegrees - from.longitudeDegrees)
        let east = turn * metresPerDegree * cosineOfDegrees(to.latitudeDegrees)
        return (north * north + east * east).squareRoot()
    }
}
