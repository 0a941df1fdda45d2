import Glibc
import Model

/// Event that the wearer reached or left a place.
public struct ProximityEvent: Hashable, Sendable {
    /// Kind of proximity event.
    public enum Kind: UInt8, Hashable, Sendable {
        case entered
        case left
    }

    package var kind: Kind
    package var id: String
    package var name: String
    /// Last known distance. Unit: metres.
    public var distance: Double

    package init(kind: Kind, id: String, name: String, distance: Double) {
        self.kind = kind
        self.id = id
        self.name = name
        self.distance = distance
    }
}

/// Monitor of the places that the wearer reaches and leaves. It uses probabilities, so that no place is reached because
/// the position is inaccurate.
///
/// A place is reached when the probability of being nearer than 40 m exceeds 0.7. It is left when the probability falls
/// below 0.3, or when it is no longer a candidate. After that, it cannot be reached again for a while. The state does
/// not change while the accuracy is unknown.
public struct ProximityMonitor: Sendable {
    /// Reached places in order of identifiers, each with its last known distance.
    private var inside: [ProximityEvent] = []
    /// Places that were left recently, in the order in which they were left.
    private var resting: [(id: String, since: BootTime)] = []

    private static let maximumRestingCount = 256

    package init() {}

    /// Identifiers of reached places, sorted.
    public var reachedIDs: [String] { inside.map(\.id) }

    /// Returns the events in the order of identifiers. Events of places that were left come first.
    ///
    /// - Parameter accuracy: horizontal accuracy as a 68 % radius in metres; nil if unknown.
    public mutating func update(
        places: [NearbyPlace], accuracy: Double?, at time: BootTime, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        resting.removeAll { !(time.seconds(since: $0.since) < settings.proximityCooldownSeconds) }
        guard let accuracy, accuracy >= 0, accuracy.isFinite else { return [] }
        let circle = Circle(radius: settings.proximityMetres, standardDeviation: accuracy / PoseAccuracy.radius68)
        let left = leave(places, circle, at: time, settings: settings)
        let entered = enter(places, circle, settings: settings)
        return left + entered
    }

    private struct Circle {
        var radius: Double
        var standardDeviation: Double

        func probability(_ distance: Double) -> Double {
            CircleProbability.within(radius: radius, distance: distance, standardDeviation: standardDeviation)
        }
    }

    private mutating func leave(
        _ places: [NearbyPlace], _ circle: Circle, at time: BootTime, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        guard !inside.isEmpty else { return [] }
        var events: [ProximityEvent] = []
        var staying: [ProximityEvent] = []
        for var reached in inside {
            let here = places.first { $0.place.id == reached.id }
            reached.distance = here?.distance ?? reached.distance
            if let here, circle.probability(here.distance) >= settings.proximityLeave {
                staying.append(reached)
            } else {
                reached.kind = .left
                events.append(reached)
                resting.append((reached.id, time))
            }
        }
        inside = staying
        if resting.count > Self.maximumRestingCount { resting.removeFirst(resting.count - Self.maximumRestingCount) }
        return events
    }

    private mutating func enter(
        _ places: [NearbyPlace], _ circle: Circle, settings: SceneSettings.Places
    ) -> [ProximityEvent] {
        var events: [ProximityEvent] = []
        // For a position outside the circle, the probability is never more than one half. Such a place is therefore
        // skipped if the limit is at least that.
        let isCertain = settings.proximityEnter >= 0.5
        for near in places where near.distance < circle.radius || !isCertain {
            let place = near.place
            guard !inside.contains(where: { $0.id == place.id }),
                !resting.contains(where: { $0.id == place.id }),
                circle.probability(near.distance) > settings.proximityEnter
            else { continue }
            let event = ProximityEvent(kind: .entered, id: place.id, name: place.name, distance: near.distance)
            events.append(event)
            inside.append(event)
        }
        inside.sort { $0.id < $1.id }
        return events.sorted { $0.id < $1.id }
    }
}

/// Probability that the wearer is within a circle, given a Gaussian position.
package enum CircleProbability {
    /// Returns the probability `P(‖X‖ < R)` for a Gaussian X about a point at distance d from the centre, with standard
    /// deviation σ along each axis. This is the Rice distribution `1 − Q₁(d/σ, R/σ)` with Marcum's Q, accurate to
    /// 1e-10.
    ///
    /// The integral across the line to the centre is an error function. Along the line, with x = R·sinθ, the remaining
    /// integral
    ///
    ///     ∫ φ((R·sinθ − d)/σ)·erf(R·cosθ/σ√2)·(R·cosθ/σ) dθ    over θ from −π/2 to π/2
    ///
    /// is half the integral of a smooth function over its period. The trapezoidal rule converges geometrically for it.
    ///
    /// Unit: metres. Arguments: d ≥ 0, R > 0, σ ≥ 0, all finite. σ = 0 stands for a known position.
    package static func within(radius: Double, distance: Double, standardDeviation: Double) -> Double {
        guard standardDeviation > 0 else { return distance < radius ? 1 : 0 }
        let r = radius / standardDeviation
        let d = distance / standardDeviation
        // Beyond 8 standard deviations, less than 1e-14 of the probability is on the other side of the circle.
        if d - r > 8 { return 0 }
        if r - d > 8 { return 1 }
        // The integrand changes over about 1/r radians; a σ that is too small for this resolution counts as zero.
        guard r < 1000 else { return distance < radius ? 1 : 0 }
        let steps = 32 + 8 * Int(r)
        var sum = 0.0
        for step in 0..<steps {
            let angle = (Double(step) + 0.5) * (.pi / Double(steps)) - .pi / 2
            let offset = r * sin(angle) - d
            guard offset.magnitude < 9 else { continue }
            let half = r * cos(angle)
            sum += exp(-0.5 * offset * offset) * erf(half * 0.5.squareRoot()) * half
        }
        return min(1, max(0, sum * (.pi / Double(steps)) / (2 * .pi).squareRoot()))
    }
}
