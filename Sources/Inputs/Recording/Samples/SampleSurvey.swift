import Geometry
import Model

/// Statistics of a table's values, to determine whether they are in SI units.
public struct SampleSurvey: Hashable, Sendable {
    /// Median norm of the force samples; nil without samples.
    public private(set) var medianForce: Double?
    /// Median norm of the magnetic samples, in the table's unit; nil without samples.
    public private(set) var medianField: Double?
    /// 99th percentile of the angular rate, which is high if the board is rotated, but is not raised by a single faulty
    /// sample. Unit: as in the table.
    public private(set) var highRate: Double?
    /// Half of the range of the axis with the widest range. If the board was rotated in all directions, this is the
    /// strength of the field.
    public private(set) var fieldRadius: Double?
    /// Whether all values are whole numbers, as counts are.
    public private(set) var isWhole = true

    /// Maximum number of measurements that are read: ten minutes of all sensors at 100 Hz.
    public static let maximumMeasurementCount = 200_000

    /// Reads up to `maximumMeasurementCount`.
    public init(_ reader: some MeasurementReader) throws(RecordingError) {
        var forces: [Double] = []
        var rates: [Double] = []
        var fields: [Double] = []
        var (low, high) = (Vector3.zero, Vector3.zero)
        var count = 0
        while count < Self.maximumMeasurementCount, let measurement = try reader.next() {
            count += 1
            switch measurement {
            case .specificForce(let sample) where sample.force.isFinite:
                forces.append(sample.force.norm)
                note(sample.force)
            case .angularRate(let sample) where sample.rate.isFinite:
                rates.append(sample.rate.norm)
                note(sample.rate)
            case .magneticField(let sample) where sample.field.isFinite:
                if fields.isEmpty { (low, high) = (sample.field, sample.field) }
                low = Self.each(low, sample.field, min)
                high = Self.each(high, sample.field, max)
                fields.append(sample.field.norm)
                note(sample.field)
            default: break
            }
        }
        medianForce = Self.quantile(0.5, &forces)
        medianField = Self.quantile(0.5, &fields)
        highRate = Self.quantile(0.99, &rates)
        let range = high - low
        if medianField != nil { fieldRadius = max(range.x, range.y, range.z) / 2 }
    }

    private mutating func note(_ vector: Vector3) {
        guard isWhole else { return }
        isWhole =
            vector.x == vector.x.rounded() && vector.y == vector.y.rounded() && vector.z == vector.z.rounded()
    }

    private static func each(_ a: Vector3, _ b: Vector3, _ pick: (Double, Double) -> Double) -> Vector3 {
        Vector3(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
    }

    private static func quantile(_ share: Double, _ values: inout [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        values.sort()
        return values[Int(share * Double(values.count))]
    }
}
