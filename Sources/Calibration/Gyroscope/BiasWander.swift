import Geometry

/// How the bias of a gyroscope wanders, as far as a rest of a minute can show it: white noise and a random walk beneath.
struct BiasWander {
    /// N², by axis.
    let white: [Double]
    /// K², by axis; zero where the walk does not stand out from the noise.
    let walk: [Double]

    /// Nil where there are too few samples for a curve.
    init?(_ channel: NoiseChannel) {
        guard let interval = channel.interval else { return nil }
        let points = channel.points
        // At a second low-passes are past, and there are still many windows.
        guard let near = points.last(where: { Double($0.cluster) * interval <= 1 + 1e-6 }) ?? points.first,
            let far = points.last
        else { return nil }
        let time = (near: Double(near.cluster) * interval, far: Double(far.cluster) * interval)
        let (short, long) = (Self.axes(near.variance), Self.axes(far.variance))
        white = short.map { $0 * time.near }
        let expected = white.map { $0 / time.far }
        // Of the sum over the axes, which say together what one alone is too uncertain to say.
        let freedom =
            3
            * AllanConfidence.freedom(
                sums: far.windows + 2 * Double(far.cluster), cluster: Double(far.cluster), slope: -1)
        let ratio = zip(long, expected).reduce(0) { $0 + ($1.1 > 0 ? $1.0 / $1.1 : 0) } / 3
        // Chi-square over its degrees of freedom exceeds this once in a thousand. Source: Wilson, Hilferty, 1931.
        let spread = (2 / (9 * freedom)).squareRoot()
        let root = 1 - 2 / (9 * freedom) + GyroscopeLimits.certainty * spread
        let stands = time.far > 2 * time.near && ratio > root * root * root
        walk = zip(long, expected).map { stands ? max(0, $0.0 - $0.1) * 3 / time.far : 0 }
    }

    private static func axes(_ vector: Vector3) -> [Double] { [vector.x, vector.y, vector.z] }

    /// By axis: how far the mean over a rest lies from the bias at its end, `N²/T + K²·T/3`.
    func meanVariances(over seconds: Double) -> [Double] {
        zip(white, walk).map { $0 / seconds + $1 * seconds / 3 }
    }

    /// `√(t²·σ² + N²·t + K²·t³/3)` as an RMS over the axes: what the bias is off by, what white noise adds, and how the bias
    /// goes on.
    func drift(from variances: [Double], over time: Double) -> Double {
        let squares = variances.indices.map { axis in
            variances[axis] * time * time + white[axis] * time + walk[axis] * time * time * time / 3
        }
        return (squares.reduce(0, +) / 3).squareRoot()
    }
}
