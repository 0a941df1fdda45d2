import WaymarkClient
import WaymarkInterface

/// The noise of sensors as a table, in the units of data sheets.
public enum NoiseText {
    /// A row per axis: noise parameters with their relative standard deviations.
    public static func lines(_ noise: [Waymark.AxisNoise]) -> [String] {
        var table = Table([
            ("axis", .left), ("random walk", .left), ("bias instability", .left), ("rate random walk", .left),
            ("at 1 s", .left),
        ])
        for axis in noise {
            let units = Units(axis.unit)
            table.append([
                Words.line(axis.axis),
                units.randomWalk.text(axis.randomWalk, axis.randomWalkDeviation),
                units.rate.text(axis.biasInstability, axis.biasInstabilityDeviation),
                units.rateRandomWalk.text(axis.rateRandomWalk, axis.rateRandomWalkDeviation),
                units.rate.text(deviation(axis.curve, at: 1), nil),
            ])
        }
        return table.lines
    }

    /// Allan deviation at the point of the curve within a few per cent of `seconds`; nil where there is none.
    private static func deviation(_ curve: [CalibrationInterface.AllanPoint], at seconds: Double) -> Double? {
        let nearest = curve.min { ($0.tau - seconds).magnitude < ($1.tau - seconds).magnitude }
        return nearest.flatMap { ($0.tau / seconds - 1).magnitude < 0.05 ? $0.deviation : nil }
    }

    /// Units of a sensor's noise parameters.
    private struct Units {
        struct Unit {
            let factor: Double
            let name: String

            func text(_ value: Double?, _ deviation: Double?) -> String {
                guard let value, value.isFinite else { return Words.unknown }
                let text = CalibrationNumber.plain(value * factor, digits: 3) + (name.isEmpty ? "" : " " + name)
                guard let deviation, value > 0, deviation >= 0, deviation < 10 * value else { return text }
                let percent = 100 * deviation / value
                return text + " ±\(percent.fixed(percent < 9.95 ? 1 : 0)) %"
            }
        }

        let randomWalk: Unit
        let rate: Unit
        let rateRandomWalk: Unit

        init(_ unit: String) {
            let hour = 3600.0
            switch unit {
            case "rad/s":
                let degrees = 180 / Double.pi
                randomWalk = Unit(factor: degrees * hour.squareRoot(), name: "°/√h")
                rate = Unit(factor: degrees * hour, name: "°/h")
                rateRandomWalk = Unit(factor: degrees * hour * hour.squareRoot(), name: "°/h/√h")
            case "m/s²":
                // A millionth of standard gravity.
                let micro = 1 / 9.80665e-6
                randomWalk = Unit(factor: micro, name: "µg/√Hz")
                rate = Unit(factor: micro, name: "µg")
                rateRandomWalk = Unit(factor: micro * hour.squareRoot(), name: "µg/√h")
            default:
                randomWalk = Unit(factor: 1, name: "·√s")
                rate = Unit(factor: 1, name: "")
                rateRandomWalk = Unit(factor: 1, name: "/√s")
            }
        }
    }
}
