import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// A first-order Gauss–Markov process of three independent axes, sampled at a fixed interval.
package struct GaussMarkov {
    package private(set) var value: Vector3
    /// Factor by which the value decays in one interval.
    private let decay: Double
    /// Standard deviation, per axis, of the driving noise of one interval.
    private let innovation: Vector3

    /// A process that starts in its stationary distribution.
    ///
    /// - Parameters:
    ///   - standardDeviation: stationary standard deviation per axis.
    ///   - timeConstant: correlation time. Unit: seconds.
    ///   - interval: time between calls of `step`. Unit: seconds.
    package init(standardDeviation: Vector3, timeConstant: Double, interval: Double, from random: inout RandomSource) {
        decay = exp(-interval / timeConstant)
        innovation = standardDeviation * (1 - decay * decay).squareRoot()
        value = random.normalVector(standardDeviation)
    }

    /// Advances the process by one interval.
    package mutating func step(_ random: inout RandomSource) {
        value = value * decay + random.normalVector(innovation)
    }
}

extension RandomSource {
    /// Independent normal deviates of the given standard deviations.
    package mutating func normalVector(_ standardDeviation: Vector3) -> Vector3 {
        let x = normal()
        let y = normal()
        let z = normal()
        return Vector3(standardDeviation.x * x, standardDeviation.y * y, standardDeviation.z * z)
    }

    /// Independent normal deviates of one standard deviation.
    package mutating func normalVector(_ standardDeviation: Double) -> Vector3 {
        normalVector(Vector3(standardDeviation, standardDeviation, standardDeviation))
    }
}
