import Glibc

/// A quantity with its first and second time derivatives. Arithmetic applies the chain rule (automatic
/// differentiation).
package struct Jet {
    package var value: Double
    package var first: Double
    package var second: Double

    package init(_ value: Double, first: Double = 0, second: Double = 0) {
        self.value = value
        self.first = first
        self.second = second
    }

    /// Time as a jet, with the derivatives 1 and 0. Unit: seconds.
    package static func time(_ seconds: Double) -> Jet { Jet(seconds, first: 1) }

    /// Composition `f(self)` from the values of f, f′ and f″ at this value.
    private func composed(_ f: Double, _ f1: Double, _ f2: Double) -> Jet {
        Jet(f, first: f1 * first, second: f2 * first * first + f1 * second)
    }

    /// This quantity at another pace, by the chain rule. `time` is its own time as a function of the actual time.
    func paced(by time: Jet) -> Jet { time.composed(value, first, second) }

    package static func + (a: Jet, b: Jet) -> Jet {
        Jet(a.value + b.value, first: a.first + b.first, second: a.second + b.second)
    }

    package static func - (a: Jet, b: Jet) -> Jet {
        Jet(a.value - b.value, first: a.first - b.first, second: a.second - b.second)
    }

    package static func * (a: Jet, b: Jet) -> Jet {
        Jet(
            a.value * b.value, first: a.first * b.value + a.value * b.first,
            second: a.second * b.value + 2 * a.first * b.first + a.value * b.second)
    }

    package static func + (a: Jet, constant: Double) -> Jet {
        Jet(a.value + constant, first: a.first, second: a.second)
    }

    package static func - (a: Jet, constant: Double) -> Jet { a + -constant }

    package static func * (factor: Double, a: Jet) -> Jet {
        Jet(factor * a.value, first: factor * a.first, second: factor * a.second)
    }

    package var sine: Jet { composed(sin(value), cos(value), -sin(value)) }

    package var exponential: Jet { composed(exp(value), exp(value), exp(value)) }

    package var cosine: Jet { composed(cos(value), -sin(value), -cos(value)) }

    /// Angle of (x, y). Its derivative is d atan2 = (x·dy − y·dx)/r².
    package static func atan2(_ y: Jet, _ x: Jet) -> Jet {
        let square = x.value * x.value + y.value * y.value
        let squareRate = 2 * (x.value * x.first + y.value * y.first)
        let cross = x.value * y.first - y.value * x.first
        let crossRate = x.value * y.second - y.value * x.second
        let rate = cross / square
        return Jet(
            angle(y.value, x.value), first: rate, second: (crossRate - rate * squareRate) / square)
    }

    /// Smooth step 6τ⁵ − 15τ⁴ + 10τ³ from 0 at 0 to 1 at 1, constant beyond. Its first and second derivatives are zero
    /// at both ends.
    package var smoothStep: Jet {
        if value <= 0 { return Jet(0) }
        if value >= 1 { return Jet(1) }
        return self * self * self * (self * (6 * self - 15) + 10)
    }

    /// Integral of `smoothStep` from 0: τ⁶ − 3τ⁵ + 2.5τ⁴, then τ − ½.
    package var smoothStepIntegral: Jet {
        if value <= 0 { return Jet(0) }
        if value >= 1 { return self - 0.5 }
        let square = self * self
        return square * square * (square - 3 * self + 2.5)
    }
}

/// The C library's `atan2` under a name that no member hides.
private func angle(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
