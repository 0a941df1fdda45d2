import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Watches over the filter's yaw from outside: the robust turn between what the inertial sensors felt in a frame that no
/// correction turns and what the receiver measured, over the last minutes.
///
/// With both as complex numbers u and w the turn is `arg Σ g·conj(u)·w` with weights `g` after Cauchy, the Procrustes
/// problem in the plane; its variance is `1/Σ g·|u|²`, enlarged where the two look less alike than they should.
///
/// Changes of velocity serve here, and not the positions of the scene: under fixes those follow the receiver itself,
/// by the very yaw that is in question.
///
/// Source: Schönemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31(1), 1966; Holland,
/// Welsch, "Robust regression using iteratively reweighted least-squares", Communications in Statistics 6(9), 1977.
///
/// Equations: docs/filter.md (48) to (50).
package struct HeadingMonitor: Sendable {
    private var pairs = Ring<MotionPair>(capacity: Self.capacity)
    package private(set) var reading: HeadingReading?
    private var nextReading: BootTime?
    private var contradictions = 0

    package init() {}

    private static let capacity = 256
    /// How far back a pair counts. Unit: seconds.
    private static let windowSeconds = 150.0
    /// Between readings. Unit: seconds.
    private static let readingSeconds = 10.0
    /// Below so many pairs nothing is read.
    private static let fewestPairs = 5
    /// The errors of level and bias are slow, those of the receiver fast: both sides go through a high pass of this time
    /// constant, about the receiver's error by that of the acceleration, 0.1 m/s by 0.02 m/s². Unit: seconds.
    private static let highPassSeconds = 4.0
    /// An acceleration that level and bias leave over. Unit: m/s².
    private static let accelerationDeviation = 0.02
    /// Deviations at which Cauchy's weight is one half.
    private static let tuning = 2.0
    private static let iterations = 6
    /// Length of the seen motion along the felt one, below which the answer is chance.
    fileprivate static let leastLikeness = 0.5
    /// Errors that last make neighbours alike: the sums take each for news.
    private static let caution = 1.25
    /// Readings in a row that must contradict the filter.
    private static let contradictionsToDoubt = 2

    // MARK: Pairs, in the order of their time

    package mutating func add(_ pair: MotionPair) { pairs.append(pair) }

    /// What came after is going to be repeated.
    mutating func forget(after time: BootTime) {
        while let last = pairs.last, last.time > time { pairs.removeLast() }
    }

    mutating func restart() {
        pairs.removeAll()
        reading = nil
        nextReading = nil
        contradictions = 0
    }

    // MARK: Readings

    /// Looks at the pairs that no late fix can change any more, when it is time.
    ///
    /// - Returns: a doubt, when the filter has been contradicted for long enough.
    mutating func watch(at now: BootTime, settledBefore end: BootTime) -> HeadingReading? {
        guard let due = nextReading else {
            nextReading = now.shifted(by: Int64(Self.readingSeconds * 1e9))
            return nil
        }
        guard now >= due else { return nil }
        nextReading = due.shifted(by: Int64(Self.readingSeconds * 1e9))
        guard let found = read(upTo: end) else {
            contradictions = 0
            reading = nil
            return nil
        }
        let isNew = reading?.time != found.time
        reading = found
        guard isNew else { return nil }
        let isContradicted = found.correction.map { found.contradicts(found.yaw - $0) } ?? false
        contradictions = isContradicted ? contradictions + 1 : 0
        guard contradictions >= Self.contradictionsToDoubt else { return nil }
        contradictions = 0
        return found
    }

    /// The turn by the pairs up to an instant; nil where they tell none.
    package func read(upTo end: BootTime) -> HeadingReading? {
        var count = pairs.partition { $0.time <= end }
        guard count > 0 else { return nil }
        let last = pairs[count - 1]
        let first = pairs.partition { last.time.seconds(since: $0.time) > Self.windowSeconds }
        count -= first
        guard count >= Self.fewestPairs else { return nil }
        var sums = Sums()
        var yaw: Double?
        for _ in 0..<Self.iterations {
            sums = sum(first, count, against: yaw, last.time)
            guard sums.weight > 0 else { return nil }
            yaw = atan2(sums.imaginary, sums.real)
        }
        guard let yaw else { return nil }
        guard let deviation = sums.deviation else { return nil }
        return HeadingReading(
            time: last.time, correction: last.yaw.map { Angle.wrapped(yaw - $0) },
            deviation: Self.caution * deviation, pairs: count, yaw: yaw)
    }

    private struct Sums {
        var real = 0.0
        var imaginary = 0.0
        var weight = 0.0
        /// Of squared weights, and of them with the squared residuals by one axis.
        var squares = 0.0
        var scatter = 0.0

        /// By the noise as it is thought and by the residuals as they are, whichever is larger; nil where the two motions
        /// are not the same.
        var deviation: Double? {
            let likeness = (real * real + imaginary * imaginary).squareRoot() / weight
            guard likeness > HeadingMonitor.leastLikeness else { return nil }
            // Few motions scatter less than they are wrong.
            let count = weight * weight / max(1e-300, squares)
            let seen = scatter / (weight * weight) * count / max(0.5, count - 1)
            return max(1 / weight, seen).squareRoot() / min(1, likeness)
        }
    }

    private func sum(_ first: Int, _ count: Int, against yaw: Double?, _ end: BootTime) -> Sums {
        var sums = Sums()
        let turn = Complex(angle: yaw ?? 0)
        var felt = Complex()
        var seen = Complex()
        var last: BootTime?
        for index in first..<(first + count) {
            let pair = pairs[index]
            let isChained = last.map { pair.time.seconds(since: $0) < pair.interval + 0.01 } ?? false
            let kept = isChained ? exp(-pair.interval / Self.highPassSeconds) : 0
            last = pair.time
            felt = kept * felt + Complex(pair.felt)
            seen = kept * seen + Complex(pair.seen)
            let age = end.seconds(since: pair.time)
            let tilt = Self.accelerationDeviation * min(Self.highPassSeconds, pair.interval / (1 - kept))
            let drifted = pair.drift * age
            let noise = (isChained ? 1.2 : 2) * pair.deviation * pair.deviation + tilt * tilt
            let variance = noise + felt.squaredLength * drifted * drifted
            var share = 1.0
            if yaw != nil {
                let square = (seen - turn * felt).squaredLength / (2 * variance)
                share = 1 / (1 + square / (Self.tuning * Self.tuning))
                let part = share / variance * felt.squaredLength
                sums.squares += part * part
                sums.scatter += share * share / variance * felt.squaredLength * square
            }
            let product = felt.conjugate * seen
            sums.real += share / variance * product.real
            sums.imaginary += share / variance * product.imaginary
            sums.weight += share / variance * felt.squaredLength
        }
        return sums
    }
}

/// A vector of the plane.
private struct Complex {
    var real = 0.0
    var imaginary = 0.0

    init() {}

    init(_ vector: Vector3) {
        real = vector.x
        imaginary = vector.y
    }

    init(_ real: Double, _ imaginary: Double) {
        self.real = real
        self.imaginary = imaginary
    }

    init(angle: Double) { self.init(cos(angle), sin(angle)) }

    var conjugate: Complex { Complex(real, -imaginary) }
    var squaredLength: Double { real * real + imaginary * imaginary }

    static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
    static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
    static func * (a: Double, b: Complex) -> Complex { Complex(a * b.real, a * b.imaginary) }
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
}
