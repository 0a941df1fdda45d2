import Geodesy
import Scene

/// The places among which the scene chooses, held ready: reading them costs nothing, and the desk is asked anew when the
/// wearer has moved on, the filter is another one or the store has changed.
///
/// For use from the reactor's thread.
package final class PlaceCandidates {
    private let desk: PlaceDesk
    /// Nanoseconds.
    private let clock: () -> Int64
    private var isAsking = false
    private var asked: Question?
    private var notBefore = Int64.min

    /// Those within reach of where the wearer was last asked for, the nearest first.
    package private(set) var places: [Place] = []
    /// Grows whenever `places` change.
    package private(set) var revision: UInt64 = 0
    /// Called when they did.
    package var onChange: () -> Void = {}

    /// What the places are asked for by.
    package var filter: PlaceFilter
    package private(set) var settings: SceneSettings.Places

    private struct Question {
        var center: GeodeticPosition
        var filter: PlaceFilter
        var settings: SceneSettings.Places
        var revision: UInt64
    }

    /// How far the wearer moves before the places are asked for anew. Unit: metres.
    package static let step = 10.0
    /// So many times as many as are shown: of the nearest at the last question, the nearest now.
    package static let spare = 4
    /// Between two questions, while an import changes the store all the time. Nanoseconds.
    private static let pause: Int64 = 250_000_000
    private static let pauseAfterFailure: Int64 = 5_000_000_000

    package init(_ desk: PlaceDesk, settings: SceneSettings.Places, clock: @escaping () -> Int64) {
        self.desk = desk
        self.settings = settings
        self.clock = clock
        filter = PlaceFilter(settings: settings)
    }

    /// Takes other settings. A radius that nobody has chosen is the one that they say, and any is within their limits.
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
            // What was found before stays, and the desk has logged why nothing else was.
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

    /// On a plane: for metres only.
    private static func distance(_ from: GeodeticPosition, _ to: GeodeticPosition) -> Double {
        let metresPerDegree = 111_320.0
        let north = (to.latitudeDegrees - from.latitudeDegrees) * metresPerDegree
        let turn = normalizedLongitude(to.longitudeDegrees - from.longitudeDegrees)
        let east = turn * metresPerDegree * cosineOfDegrees(to.latitudeDegrees)
        return (north * north + east * east).squareRoot()
    }
}
