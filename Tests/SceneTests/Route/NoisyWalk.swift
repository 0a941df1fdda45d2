import Glibc
import Scene
import Geometry

/// A walk along corners of a test's streets, as satellites see it: errors that last half a minute, and reflections that
/// throw it aside for some seconds.
struct NoisyWalk {
    struct Fix {
        /// Truly, from the first corner along the way. Unit: metres.
        var along: Double
        var east: Double
        var north: Double
        /// Of the fix. Unit: metres.
        var error: Double
    }

    /// Along the corners. Unit: metres.
    let length: Double
    private let corners: [(Double, Double)]
    private var random: RandomSource
    private let standardDeviation: Double
    private let reflection: Double
    private var drift = (0.0, 0.0)
    private var burst = (left: 0, east: 0.0, north: 0.0)

    /// - Parameters:
    ///   - deviation: of the lasting error by axis. Unit: metres.
    ///   - reflection: by which a reflection throws a fix aside. Unit: metres.
    init(_ corners: [(Double, Double)], seed: UInt64, standardDeviation: Double = 4, reflection: Double = 15) {
        self.corners = corners
        random = RandomSource(seed: seed)
        self.standardDeviation = standardDeviation
        self.reflection = reflection
        length = zip(corners, corners.dropFirst()).reduce(0) { $0 + hypot($1.1.0 - $1.0.0, $1.1.1 - $1.0.1) }
    }

    /// The fix where the walker truly is so far along the way.
    mutating func fix(along: Double) -> Fix {
        let (east, north) = place(along)
        // A second later, of an error that lasts thirty.
        let kept = exp(-1.0 / 30)
        let fresh = standardDeviation * (1 - kept * kept).squareRoot()
        drift = (drift.0 * kept + fresh * random.normal(), drift.1 * kept + fresh * random.normal())
        if burst.left > 0 {
            burst.left -= 1
        } else if random.uniform() < 1.0 / 90 {
            let direction = random.uniform(in: 0...(2 * .pi))
            burst = (8, reflection * cos(direction), reflection * sin(direction))
        } else {
            burst = (0, 0, 0)
        }
        let error = (drift.0 + burst.east + 0.3 * random.normal(), drift.1 + burst.north + 0.3 * random.normal())
        return Fix(along: along, east: east + error.0, north: north + error.1, error: hypot(error.0, error.1))
    }

    /// One fix a second at a walker's pace.
    mutating func fixes(from start: Double = 0, to end: Double? = nil, speed: Double = 1.3) -> [Fix] {
        stride(from: start, through: end ?? length, by: speed).map { fix(along: $0) }
    }

    /// One fix a second where the walker stands.
    mutating func standing(at along: Double, seconds: Int) -> [Fix] { (0..<seconds).map { _ in fix(along: along) } }

    private func place(_ along: Double) -> (Double, Double) {
        var rest = along
        for (start, end) in zip(corners, corners.dropFirst()) {
            let leg = hypot(end.0 - start.0, end.1 - start.1)
            if rest <= leg {
                return (start.0 + (end.0 - start.0) * rest / leg, start.1 + (end.1 - start.1) * rest / leg)
            }
            rest -= leg
        }
        return corners[corners.count - 1]
    }
}
