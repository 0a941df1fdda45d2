import Glibc

/// The χ² distribution, which squared Mahalanobis distances follow; used for innovation gates and for bounds of NIS and
/// NEES.
public struct ChiSquare: Hashable, Sendable {
    /// Number of degrees of freedom, at least 1.
    public let degreesOfFreedom: Int

    /// Makes the distribution of the sum of `degreesOfFreedom` squared standard normal variables.
    public init(degreesOfFreedom: Int) {
        precondition(degreesOfFreedom > 0, "a χ² distribution has at least one degree of freedom")
        self.degreesOfFreedom = degreesOfFreedom
    }

    /// Probability of a value up to `x`: the regularised incomplete gamma function P(k/2, x/2), accurate to 1e-12.
    ///
    /// Source: Abramowitz and Stegun. The series 6.5.29 is used while x/2 is below k/2 + 1. Above that, the continued
    /// fraction 6.5.31 is evaluated by Lentz's method.
    public func cumulative(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        let shape = Double(degreesOfFreedom) / 2
        let argument = x / 2
        guard argument.isFinite else { return 1 }
        let scale = exp(-argument + shape * log(argument) - logGamma)
        return argument < shape + 1
            ? scale * series(shape, argument) : 1 - scale * continuedFraction(shape, argument)
    }

    /// Quantile: the value that a draw does not exceed with probability `p`, where 0 < p < 1. Its relative error is
    /// 1e-10.
    public func quantile(_ p: Double) -> Double {
        precondition(p > 0 && p < 1, "a quantile is asked at a probability between 0 and 1")
        var low = 0.0
        var high = Double(degreesOfFreedom) + 10
        while cumulative(high) < p { high *= 2 }
        // Bisection: 60 rounds narrow the bracket to the resolution of a double.
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if cumulative(middle) < p { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Two-sided bounds within which the mean of `count` independent draws lies with probability `p`.
    public static func meanBounds(degreesOfFreedom: Int, count: Int, probability p: Double) -> ClosedRange<Double> {
        let sum = ChiSquare(degreesOfFreedom: degreesOfFreedom * count)
        return (sum.quantile((1 - p) / 2) / Double(count))...(sum.quantile((1 + p) / 2) / Double(count))
    }

    /// ln Γ(k/2), computed from Γ(1/2) = √π or Γ(1) = 1 with Γ(x + 1) = x·Γ(x).
    private var logGamma: Double {
        let isOdd = degreesOfFreedom % 2 == 1
        var x = isOdd ? 0.5 : 1
        var sum = isOdd ? 0.5 * log(Double.pi) : 0
        while x < Double(degreesOfFreedom) / 2 - 0.25 {
            sum += log(x)
            x += 1
        }
        return sum
    }

    private func series(_ shape: Double, _ x: Double) -> Double {
        var term = 1 / shape
        var sum = term
        var n = shape
        while term.magnitude > sum.magnitude * 1e-16 {
            n += 1
            term *= x / n
            sum += term
        }
        return sum
    }

    private func continuedFraction(_ shape: Double, _ x: Double) -> Double {
        let tiny = 1e-300
        var b = x + 1 - shape
        var c = 1 / tiny
        var d = 1 / b
        var h = d
        var i = 1.0
        while i < 10_000 {
            let a = -i * (i - shape)
            b += 2
            d = a * d + b
            d = 1 / (d.magnitude < tiny ? tiny : d)
            c = b + a / c
            if c.magnitude < tiny { c = tiny }
            h *= c * d
            if (c * d - 1).magnitude < 1e-15 { break }
            i += 1
        }
        return h
    }
}
