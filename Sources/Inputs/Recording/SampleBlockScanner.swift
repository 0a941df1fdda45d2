import Geometry
import Messages
import Model

/// Reads a block of samples as `SampleBlock` writes it.
package enum SampleBlockScanner {
    package typealias Problem = JSONScanner.Problem
    private typealias Sensor = SampleBlock.Sensor

    /// Maximum number of samples in a block that is read, far above the number in written blocks.
    static let maximumCount = 1 << 16

    /// Columns of one sensor as read.
    private struct Columns {
        var steps: [Int64] = []
        var values: [[Double]] = [[], [], []]
        /// Number of samples taken so far, and the time of the last one. Unit: nanoseconds.
        var taken = 0
        var time: Int64 = 0
    }

    /// Samples in the order in which the engine received them; unknown members are skipped.
    ///
    /// - Throws: if the message is not JSON, a column is missing or columns differ in length.
    package static func samples(_ text: UnsafeRawBufferPointer) throws(Problem) -> [Measurement] {
        var scanner = JSONScanner(text)
        var (start, order): (BootTime?, UnsafeRawBufferPointer?)
        var columns = Sensor.allCases.map { _ in Columns() }
        try scanner.object { name, value throws(Problem) in
            if name == "time" {
                start = try MeasurementScanner.time(&value)
            } else if name == "order" {
                order = try value.string()
            } else if let sensor = Sensor.allCases.first(where: { name == $0.member }) {
                columns[sensor.rawValue] = try self.columns(of: sensor, &value)
            } else {
                try value.skip()
            }
        }
        try scanner.end()
        let (first, letters) = (try start.need("time"), try order.need("order"))
        guard letters.count <= maximumCount else { throw Problem("order has more than \(maximumCount) letters") }
        for index in columns.indices { columns[index].time = first.nanoseconds }
        var samples: [Measurement] = []
        samples.reserveCapacity(letters.count)
        for letter in letters { samples.append(try sample(letter, &columns)) }
        for sensor in Sensor.allCases where columns[sensor.rawValue].taken < columns[sensor.rawValue].steps.count {
            throw Problem("\(sensor.member) has more samples than order has letters")
        }
        return samples
    }

    private static func columns(of sensor: Sensor, _ value: inout JSONScanner) throws(Problem) -> Columns {
        var columns = Columns()
        try value.object { name, part throws(Problem) in
            if name == "step" {
                columns.steps = try array(&part) { element throws(Problem) in try element.integer() }
            } else if let axis = sensor.columns.firstIndex(where: { name == $0 }) {
                columns.values[axis] = try array(&part) { element throws(Problem) in try element.double() }
            } else {
                try part.skip()
            }
        }
        for axis in sensor.columns.indices where columns.values[axis].count != columns.steps.count {
            throw Problem("\(sensor.member).\(sensor.columns[axis]) is not as long as its step")
        }
        return columns
    }

    private static func array<Element>(
        _ value: inout JSONScanner, _ read: (inout JSONScanner) throws(Problem) -> Element
    ) throws(Problem) -> [Element] {
        var elements: [Element] = []
        try value.array { element throws(Problem) in
            guard elements.count < maximumCount else { throw Problem("a column of more than \(maximumCount) numbers") }
            elements.append(try read(&element))
        }
        return elements
    }

    private static func sample(_ letter: UInt8, _ columns: inout [Columns]) throws(Problem) -> Measurement {
        guard let sensor = Sensor(letter: letter) else { throw Problem("order has a letter that is none of gambc") }
        let index = columns[sensor.rawValue].taken
        guard index < columns[sensor.rawValue].steps.count else {
            throw Problem("\(sensor.member) has fewer samples than order has letters")
        }
        columns[sensor.rawValue].taken += 1
        let (nanoseconds, isBeyond) = columns[sensor.rawValue].time
            .addingReportingOverflow(columns[sensor.rawValue].steps[index])
        guard !isBeyond else { throw Problem("the time is out of range") }
        columns[sensor.rawValue].time = nanoseconds
        let values = columns[sensor.rawValue].values
        func number(_ axis: Int) -> Double { index < values[axis].count ? values[axis][index] : 0 }
        let time = BootTime(nanoseconds: nanoseconds)
        let vector = Vector3(number(0), number(1), number(2))
        switch sensor {
        case .gyroscope: return .angularRate(AngularRateSample(time: time, rate: vector))
        case .accelerometer: return .specificForce(SpecificForceSample(time: time, force: vector))
        case .magnetometer: return .magneticField(MagneticSample(time: time, field: vector))
        case .barometer: return .pressure(PressureSample(time: time, pressureHectopascal: vector.x))
        case .clock: return .clock(time)
        }
    }
}
