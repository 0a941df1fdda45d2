import Geometry
import JSON
import Messages
import Model

/// Samples of the fast sensors during a short time, in the order in which the engine received them, as one message.
///
/// A block of half a second takes a quarter of the space of single messages. The reason is that the head of a message
/// and its index entries take several times the space of a sample, and that similar digits compress best side by side.
package struct SampleBlock {
    /// Sensors of a block, with their letters in `order`.
    enum Sensor: Int, CaseIterable {
        case gyroscope, accelerometer, magnetometer, barometer, clock

        var letter: UInt8 {
            switch self {
            case .gyroscope: UInt8(ascii: "g")
            case .accelerometer: UInt8(ascii: "a")
            case .magnetometer: UInt8(ascii: "m")
            case .barometer: UInt8(ascii: "b")
            case .clock: UInt8(ascii: "c")
            }
        }

        /// Name of the member that holds the sensor's columns.
        var member: StaticString {
            switch self {
            case .gyroscope: "angularRate"
            case .accelerometer: "specificForce"
            case .magnetometer: "magneticField"
            case .barometer: "pressure"
            case .clock: "clock"
            }
        }

        /// Names of the columns other than `step`.
        var columns: [StaticString] {
            switch self {
            case .gyroscope, .accelerometer, .magnetometer: ["x", "y", "z"]
            case .barometer: ["hectopascal"]
            case .clock: []
            }
        }

        init?(letter: UInt8) {
            guard let sensor = Sensor.allCases.first(where: { $0.letter == letter }) else { return nil }
            self = sensor
        }
    }

    /// Maximum time difference to the first sample of a block. Unit: nanoseconds.
    static let maximumSpan: UInt64 = 500_000_000
    /// Maximum number of samples of a block.
    static let maximumCount = 1024

    private struct Column {
        var times: [Int64] = []
        var values: [Vector3] = []
    }

    private var order: [UInt8] = []
    private var columns = Sensor.allCases.map { _ in Column() }
    private var first: Int64 = 0

    package init() {}

    package var isEmpty: Bool { order.isEmpty }
    /// Time of the first sample; nil without one.
    var start: BootTime? { isEmpty ? nil : BootTime(nanoseconds: first) }
    package var count: Int { order.count }

    /// Whether a fast sensor's sample of this time fits into the block.
    package func hasRoom(for time: BootTime) -> Bool {
        guard !isEmpty else { return true }
        let (distance, isFar) = time.nanoseconds.subtractingReportingOverflow(first)
        return !isFar && distance.magnitude < Self.maximumSpan && order.count < Self.maximumCount
    }

    /// Appends a sample; false if the measurement is not from a fast sensor.
    package mutating func append(_ measurement: Measurement) -> Bool {
        switch measurement {
        case .angularRate(let sample): append(.gyroscope, sample.time, sample.rate)
        case .specificForce(let sample): append(.accelerometer, sample.time, sample.force)
        case .magneticField(let sample): append(.magnetometer, sample.time, sample.field)
        case .pressure(let sample): append(.barometer, sample.time, Vector3(sample.pressureHectopascal, 0, 0))
        case .clock(let time): append(.clock, time, .zero)
        case .fix, .aid, .calibration: return false
        }
        return true
    }

    private mutating func append(_ sensor: Sensor, _ time: BootTime, _ value: Vector3) {
        if isEmpty { first = time.nanoseconds }
        order.append(sensor.letter)
        columns[sensor.rawValue].times.append(time.nanoseconds)
        columns[sensor.rawValue].values.append(value)
    }

    /// Empties the block and keeps its memory.
    mutating func removeAll() {
        order.removeAll(keepingCapacity: true)
        for index in columns.indices {
            columns[index].times.removeAll(keepingCapacity: true)
            columns[index].values.removeAll(keepingCapacity: true)
        }
    }

    /// Appends one object, with full-precision numbers.
    package func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("time", BootTime(nanoseconds: first).message)
            json.member("order", String(decoding: order, as: UTF8.self))
            for sensor in Sensor.allCases where !columns[sensor.rawValue].times.isEmpty { write(sensor, into: &json) }
        }
    }

    private func write(_ sensor: Sensor, into json: inout JSONWriter) {
        let column = columns[sensor.rawValue]
        json.object(sensor.member) { json in
            var last = first
            json.array("step", column.times) { time, json in
                json.value(time - last)
                last = time
            }
            for (axis, name) in sensor.columns.enumerated() {
                json.array(name, column.values) { value, json in
                    json.value(axis == 0 ? value.x : axis == 1 ? value.y : value.z, .exact)
                }
            }
        }
    }
}
