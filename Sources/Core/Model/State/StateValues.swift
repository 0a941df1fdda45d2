import Geometry

/// Part of a value that is not saved. An estimator that is being restored provides its own in `StateReader.unsaved`.
public protocol Unsaved: Codable {}

extension Unsaved {
    /// Takes the part that was provided to the reader.
    public init(from decoder: any Decoder) throws {
        let given = try decoder.state.unsaved.lazy.compactMap { $0 as? Self }.first
        guard let given else { throw StateFlaw.notGiven }
        self = given
    }

    /// Writes nothing.
    public func encode(to encoder: any Encoder) {}
}

/// Value that is encoded as a sequence of unnamed values or computed from them.
package protocol WordCoded: Codable {
    init(reading reader: StateReader) throws
    func write(to writer: StateWriter) throws
}

extension WordCoded {
    /// Reads the value from a state, the only form in which it is encoded.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder.state) }

    /// Writes the value into a state, the only form in which it is encoded.
    public func encode(to encoder: any Encoder) throws { try write(to: encoder.state) }
}

extension InlineArray: WordCoded, @retroactive Encodable, @retroactive Decodable where Element: Codable {
    package init(reading reader: StateReader) throws {
        self = try InlineArray { _ throws in try reader.read(Element.self) }
    }

    package func write(to writer: StateWriter) throws {
        for index in indices { try writer.write(self[index]) }
    }
}

extension Matrix: WordCoded {
    package init(reading reader: StateReader) throws {
        self.init()
        let isSymmetric = try reader.flag() && Rows == Columns
        for i in 0..<Rows {
            for j in (isSymmetric ? i : 0)..<Columns {
                rows[i][j] = try reader.number()
                if isSymmetric { rows[j][i] = rows[i][j] }
            }
        }
    }

    /// Writes the matrix, or only its upper triangle if it is symmetric to the last bit, as a covariance is.
    package func write(to writer: StateWriter) throws {
        let isSymmetric = isSymmetric
        try writer.write(isSymmetric)
        for i in 0..<Rows {
            for j in (isSymmetric ? i : 0)..<Columns { writer.append(rows[i][j]) }
        }
    }

    private var isSymmetric: Bool {
        guard Rows == Columns else { return false }
        for i in 0..<Rows {
            for j in 0..<i where rows[i][j].bitPattern != rows[j][i].bitPattern { return false }
        }
        return true
    }
}

extension Rotation2: WordCoded {
    package init(reading reader: StateReader) throws {
        let read = try Rotation2(exactly: reader.number(), reader.number())
        try reader.require(read != nil)
        self = read ?? Rotation2(yaw: 0)
    }

    package func write(to writer: StateWriter) {
        writer.append(cosine)
        writer.append(sine)
    }
}

extension Rotation3: WordCoded {
    package init(reading reader: StateReader) throws {
        let read = try Rotation3(exactly: reader.number(), reader.number(), reader.number(), reader.number())
        try reader.require(read != nil)
        self = read ?? .identity
    }

    package func write(to writer: StateWriter) {
        for part in [w, x, y, z] { writer.append(part) }
    }
}

extension SensorCalibration: WordCoded {
    package init(reading reader: StateReader) throws {
        self.init(
            time: try reader.read("time"), sensor: try reader.read("sensor"), correction: try reader.read("correction"),
            bias: try reader.read("bias"), biasStandardDeviation: try reader.read("biasStandardDeviation"))
    }

    package func write(to writer: StateWriter) throws {
        try writer.write(time)
        try writer.write(sensor)
        try writer.write(correction)
        try writer.write(bias)
        try writer.write(biasStandardDeviation)
    }
}

/// A plane is encoded as its origin, which determines it exactly.
extension LocalTangentPlane: WordCoded {
    package init(reading reader: StateReader) throws { self.init(origin: try reader.read("origin")) }

    package func write(to writer: StateWriter) throws { try writer.write(origin) }
}

/// A chart is encoded as its plane and centre, which determine it exactly.
extension TangentPlaneChart: WordCoded {
    package init(reading reader: StateReader) throws {
        let plane: LocalTangentPlane = try reader.read("plane")
        let center: Vector3 = try reader.read("center")
        guard let chart = TangentPlaneChart(plane, around: center) else { throw StateFlaw.impossible }
        self = chart
    }

    package func write(to writer: StateWriter) throws {
        try writer.write(plane)
        try writer.write(center)
    }
}

extension GeodeticPosition: CheckedState {
    package func settle() -> Bool {
        latitudeDegrees.magnitude <= 90 && longitudeDegrees.magnitude <= 540 && ellipsoidalHeight.magnitude <= 2e7
    }
}

extension FrameCauses: CheckedState {
    package func settle() -> Bool { rawValue >> FrameCause.allCases.count == 0 }
}

extension LimitingReasons: CheckedState {
    package func settle() -> Bool { rawValue >> Self.count == 0 }
}

extension WarmStart.Parts: CheckedState {
    package func settle() -> Bool { rawValue >> Self.count == 0 }
}
