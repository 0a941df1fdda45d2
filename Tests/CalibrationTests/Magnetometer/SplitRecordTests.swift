import Calibration
import Geometry
import Glibc
import Model
import Testing

/// Predictions beside what they predict: parts of one recording, each fitted alone, differ by the errors of both.
@Suite("parts of recorded turns")
struct SplitRecordTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var folder: String
        var hasForces: Bool
        var unit = CalibrationSettings.Unit.standard
        /// Number of pairs of parts that are accepted.
        var pairs = 4

        var testDescription: String { "\(folder), \(hasForces ? "with forces and rates" : "the field alone")" }
    }

    static let cases = [
        Case(folder: "cal_mag_qmc5883l", hasForces: false, unit: .arbitrary),
        Case(folder: "broad_whole_04_undisturbed_slow_rotation_with_breaks_A", hasForces: true),
        Case(folder: "broad_whole_04_undisturbed_slow_rotation_with_breaks_A", hasForces: false),
        Case(folder: "broad_whole_05_undisturbed_slow_rotation_with_breaks_B", hasForces: true, pairs: 3),
        Case(folder: "broad_whole_05_undisturbed_slow_rotation_with_breaks_B", hasForces: false),
        Case(folder: "broad_whole_08_undisturbed_fast_rotation_with_breaks_A", hasForces: false),
    ]

    /// Sums over the pairs of parts of one recording, and over directions of up and of north. Unit: radians squared.
    struct Sums {
        var difference = 0.0
        var predicted = 0.0
        var ratio: Double { (difference / predicted).squareRoot() }
    }

    /// Halves, and alternate stretches of 10, 20 and 40 s, as far as a calibration by each part alone would be
    /// accepted: with five to nine free directions of error a single pair scatters by a fifth to a quarter about its
    /// prediction, and the four pairs of a recording are nearly independent.
    @Test(
        "they differ as their predictions say, within 0.6 to 1.6",
        arguments: cases.filter { RecordedTable.has("\($0.folder)/mag.csv.gz") })
    func differAsPredicted(_ each: Case) throws {
        let recording = try Self.measurements(each)
        let settings = CalibrationSettings(unit: each.unit)
        let whole = try #require(Self.solution(recording, settings))
        let end = try #require(recording.last).time.seconds
        /// Whether a time is in the first part, with the length of alternate stretches, or halves.
        func isFirst(_ seconds: Double, _ length: Int?) -> Bool {
            guard let length else { return seconds < end / 2 }
            return Int(seconds) / length % 2 == 0
        }
        var (sums, pairs) = (Sums(), 0)
        for length in [nil, 10, 20, 40] as [Int?] {
            let parts = [true, false].compactMap { first in
                Self.solution(recording.filter { isFirst($0.time.seconds, length) == first }, settings)
            }
            guard parts.count == 2, parts.allSatisfy({ Self.isUseful($0, like: whole) }) else { continue }
            let pair = Self.compare(parts[0].fit, parts[1].fit, whole.fit)
            let name = length.map { "\($0) s" } ?? "halves"
            print(
                "\(each.testDescription), \(name): difference", Angle.degrees(radians: pair.difference.squareRoot()),
                "predicted", Angle.degrees(radians: pair.predicted.squareRoot()))
            sums.difference += pair.difference
            sums.predicted += pair.predicted
            pairs += 1
        }
        #expect(pairs == each.pairs)
        #expect((0.6...1.6).contains(sums.ratio), "\(sums.ratio)")
    }

    @Test(
        "boards turned so fast that the accelerometer does not show the vertical are refused",
        arguments: [
            "broad_whole_08_undisturbed_fast_rotation_with_breaks_A", "broad_07_undisturbed_fast_rotation_B",
            "broad_21_undisturbed_fast_combined", "broad_30_disturbed_stationary_magnet_C",
        ].filter { RecordedTable.has("\($0)/mag.csv.gz") })
    func turnedFast(_ folder: String) throws {
        var session = MagnetometerSession()
        for measurement in try Self.measurements(Case(folder: folder, hasForces: true)) { session.feed(measurement) }
        let verdict = session.result().verdict
        #expect([.poorFit, .disturbed].contains(verdict.refusal), "\(verdict.reason)")
    }

    // MARK: - Parts

    private static func measurements(_ each: Case) throws -> [Measurement] {
        let fields = try RecordedTable("\(each.folder)/mag.csv.gz").magneticMeasurements()
        guard each.hasForces else { return fields }
        let inertial = try RecordedTable("\(each.folder)/imu.csv.gz").inertialMeasurements()
        return (fields + inertial).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    private static func solution(_ measurements: [Measurement], _ settings: CalibrationSettings) -> MagneticSolution? {
        var store = MagneticStore()
        let centre = FieldEllipsoid(
            robust: measurements.compactMap { measurement in
                if case .magneticField(let sample) = measurement { sample.field } else { nil }
            })
        let region = { SphereCoverage.region(of: centre?.corrected($0) ?? $0) }
        for measurement in measurements where store.add(measurement) {
            if store.isFull { store.thin(by: region) }
        }
        if store.isUneven { store.thin(by: region) }
        return MagneticSolution(store, settings: settings)
    }

    private static func isUseful(_ part: MagneticSolution, like whole: MagneticSolution) -> Bool {
        part.fit.isAligned == whole.fit.isAligned && part.coverage.count >= MagnetometerLimits.minimumRegionCount
            && part.prediction.heading <= MagnetometerLimits.maximumHeadingError
    }

    // MARK: - Headings

    /// Mean squares over directions of up all about the sphere, and over the headings about each.
    private static func compare(_ first: MagneticFit, _ second: MagneticFit, _ whole: MagneticFit) -> Sums {
        let inclination = whole.isAligned ? -whole.model.elevation : MagnetometerLimits.assumedInclination
        let ups = stride(from: 0, to: SphereCoverage.regions, by: 3).map { SphereCoverage.centre(of: $0) }
        var sums = Sums()
        for up in ups {
            sums.difference += difference(first, second, whole, up, inclination) / Double(ups.count)
            for fit in [first, second] {
                let prediction = HeadingPrediction(
                    correction: fit.scaled.correction, covariance: fit.covariance, vertical: up,
                    inclination: inclination)
                sums.predicted += prediction.heading * prediction.heading / Double(ups.count)
            }
        }
        return sums
    }

    private static func difference(
        _ first: MagneticFit, _ second: MagneticFit, _ whole: MagneticFit, _ up: Vector3, _ inclination: Double
    ) -> Double {
        let east = (abs(up.y) < 0.9 ? Vector3(0, 1, 0) : Vector3(1, 0, 0)).cross(up).normalized ?? Vector3(1, 0, 0)
        let inverse = whole.model.correction.inverse ?? .identity
        let turns = 24
        let squares = (0..<turns).map { turn in
            let angle = 2 * Double.pi * Double(turn) / Double(turns)
            let north = cos(angle) * east + sin(angle) * up.cross(east)
            let measured = inverse * (cos(inclination) * north - sin(inclination) * up) + whole.model.centre
            let headings = [first, second].map { fit in
                let field = fit.model.corrected(measured)
                return atan2(up.dot(north.cross(field)), north.dot(field))
            }
            let difference = Angle.wrapped(headings[0] - headings[1])
            return difference * difference
        }
        return squares.reduce(0, +) / Double(turns)
    }
}
