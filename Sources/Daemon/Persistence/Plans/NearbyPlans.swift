import Geometry
import Linux
import PlanMatching

/// Takes the plans around the wearer whenever they change.
package protocol NearbyPlansObserver: AnyObject {
    func nearbyPlansChanged(_ library: PlanLibrary)
}

/// Plans around the wearer, kept at hand for the estimator. They are read and drawn on the thread of the stored plans
/// when the wearer has moved, or when a plan has been imported or removed.
///
/// Not thread-safe: for use on the reactor's thread.
package final class NearbyPlans {
    private let repository: PlanRepository
    private weak var observer: (any NearbyPlansObserver)?
    private var isQuerying = false
    private var answered: (center: GeodeticPosition, revision: UInt64)?

    /// Plans whose bounding box, grown by `margin`, contains the position of the last update, nearest first; may
    /// include a few others.
    package private(set) var library = PlanLibrary()

    /// Distance of a position from a plan within which it may matter. Unit: metres.
    package static let margin = 200.0
    /// Distance that the wearer moves before the plans are searched again. Unit: metres.
    package static let step = 20.0

    package init(_ repository: PlanRepository, observer: any NearbyPlansObserver) {
        self.repository = repository
        self.observer = observer
    }

    /// Searches for plans if the loaded ones are outdated for a wearer at `center`; cheap enough for every heartbeat.
    package func update(around center: GeodeticPosition) {
        guard !isQuerying, isOutdated(center) else { return }
        isQuerying = true
        let (revision, present) = (repository.revision, library)
        repository.perform { store throws(PlanStore.Failure) in
            let found = PlanLibrary(
                store.plans(around: center, radius: Self.margin + Self.step), reusing: present)
            return found.plans.map(\.plan) == present.plans.map(\.plan) ? nil : found
        } then: { [weak self] result in
            self?.take((try? result.get()) ?? nil, (center, revision))
        }
    }

    private func isOutdated(_ center: GeodeticPosition) -> Bool {
        guard let answered else { return true }
        guard answered.revision == repository.revision else { return true }
        return Geodesic(from: answered.center, to: center).distance > Self.step
    }

    /// - Parameter found: newly loaded plans; nil if the plans are unchanged.
    private func take(_ found: PlanLibrary?, _ query: (GeodeticPosition, UInt64)) {
        isQuerying = false
        answered = query
        guard let found else { return }
        library = found
        observer?.nearbyPlansChanged(found)
    }
}
