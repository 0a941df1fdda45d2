import Calibration
import Geometry
import JSON
import Model

/// Reads the parts of a calibration document. Checks every number, and ignores unknown members.
enum CalibrationParts {
    /// Maximum length of a name or another text. Unit: UTF-8 bytes.
    private static let maximumTextLength = 200
    private static let maximumAxisCount = 6
    private static let maximumPointCount = 500
    /// Latest time that is accepted, in the year 2261. Unit: seconds since 1970 UTC.
    private static let latestTime = 9.2e9

    static func document(_ root: JSONNode) throws(DocumentProblem) -> CalibrationDocument {
        var devices: [DeviceCalibration] = []
        for node in try root.member("devices").array() {
            guard devices.count < CalibrationDocument.maximumDeviceCount else {
                throw node.problem("more than \(CalibrationDocument.maximumDeviceCount) devices")
            }
            let device = try device(node)
            if devices.contains(where: { $0.device == device.device }) {
                throw node.problem("the same device more than once")
            }
            devices.append(device)
        }
        return CalibrationDocument(devices)
    }

    private static func device(_ node: JSONNode) throws(DocumentProblem) -> DeviceCalibration {
        try node.require(.object)
        var calibration = DeviceCalibration(try node["device"].map(identity))
        for part in try node.member("sensors").array() {
            let records = try self.records(part)
            guard calibration[records.sensor] == nil else {
                throw part.problem("the same sensor more than once")
            }
            calibration[records.sensor] = records
        }
        return calibration
    }

    private static func identity(_ node: JSONNode) throws(DocumentProblem) -> CalibratedDevice {
        let name = try text(try node.member("name"))
        guard !name.isEmpty else { throw try node.member("name").problem("a device has a name") }
        return CalibratedDevice(
            name: name, label: try node["label"].map(text), serial: try node["serial"].map(text),
            location: try node["location"].map(text))
    }

    private static func records(_ node: JSONNode) throws(DocumentProblem) -> SensorRecords {
        let sensor = try word(try node.member("sensor"), CalibratedSensor.init(rawValue:))
        let present = try record(try node.member("present"), sensor)
        var history: [CalibrationRecord] = []
        if let past = node["history"] {
            for part in try past.array() {
                guard history.count < SensorRecords.maximumHistoryCount else {
                    throw past.problem("more than \(SensorRecords.maximumHistoryCount) of the past")
                }
                history.append(try record(part, sensor))
            }
        }
        return SensorRecords(sensor, present: present, history: history)
    }

    private static func record(
        _ node: JSONNode, _ sensor: CalibratedSensor
    ) throws(DocumentProblem) -> CalibrationRecord {
        var record = CalibrationRecord(
            time: try number(try node.member("time"), 0...latestTime),
            origin: try word(try node.member("origin"), CalibrationRecord.Origin.init(rawValue:)),
            kind: try word(try node.member("kind"), CalibrationKind.init(rawValue:)),
            residualUnit: try node["residualUnit"].map(text) ?? "")
        record.method = try node["method"].map(text) ?? ""
        record.version = try node["waymark"].map(text) ?? ""
        record.fit = try fit(node, sensor)
        record.isOfCounts = try node["ofCounts"].map(flag) ?? false
        record.residualRMS = try number(node["residualRMS"], notNegative)
        record.residualRMSBefore = try number(node["residualRMSBefore"], notNegative)
        record.predictedHeadingError = try number(node["headingErrorRadians"], notNegative)
        record.predictedTiltError = try number(node["tiltErrorRadians"], notNegative)
        record.poses = try node["poses"].map(count)
        record.coverage = try number(node["coverage"], 0...1)
        record.temperature = try number(node["temperature"], -273.15...1000)
        record.samples = try node["samples"].map(count) ?? 0
        record.seconds = try number(node["seconds"], notNegative) ?? 0
        record.mountMatrix = try node["mountMatrix"].map(mount)
        record.sign = try node["sign"].map(sign) ?? 1
        record.turn = try node["turn"].map(mount)
        record.accelerometerMount = try node["accelerometerMount"].map(mount)
        if let noise = node["noise"] { record.noise = try axes(noise) }
        return record
    }

    // MARK: parameters

    /// Largest magnitude of any number. It is far above 32-bit counts, and so small that products and conversions to
    /// other units do not overflow.
    private static let maximum = 1e12
    private static let notNegative = 0...maximum

    private static func fit(_ node: JSONNode, _ sensor: CalibratedSensor) throws(DocumentProblem) -> SensorFit? {
        guard let kind = sensor.sensor else { return nil }
        let parameters = try node.member("parameters")
        var fit = SensorFit(
            sensor: kind, correction: try matrix(try parameters.member("matrix")),
            bias: try vector(try parameters.member("bias")))
        guard fit.correction.determinant > 0 else {
            throw try parameters.member("matrix").problem("the matrix mirrors or cannot be undone")
        }
        if kind == .mount, !fit.correction.isRotation {
            throw try parameters.member("matrix").problem("a mount is a rotation, which this is not")
        }
        if let standardDeviations = node["standardDeviations"] {
            fit.correctionStandardDeviation = try matrix(try standardDeviations.member("matrix"), minimum: 0)
            fit.biasStandardDeviation = try vector(try standardDeviations.member("bias"), minimum: 0)
        }
        return fit
    }

    private static func matrix(_ node: JSONNode, minimum: Double? = nil) throws(DocumentProblem) -> Matrix<3, 3> {
        let rows = try node.array().map { row throws(DocumentProblem) in try vector(row, minimum: minimum) }
        guard rows.count == 3 else { throw node.problem("three rows are needed, not \(rows.count)") }
        return Matrix(rows[0], rows[1], rows[2])
    }

    private static func vector(_ node: JSONNode, minimum: Double? = nil) throws(DocumentProblem) -> Vector3 {
        let parts = try node.array().map { part throws(DocumentProblem) in
            try number(part, (minimum ?? -maximum)...maximum) as Double
        }
        guard parts.count == 3 else { throw node.problem("three numbers are needed, not \(parts.count)") }
        return Vector3(parts[0], parts[1], parts[2])
    }

    private static func mount(_ node: JSONNode) throws(DocumentProblem) -> [Double] {
        let elements = try node.array().map { part throws(DocumentProblem) in try number(part, -2...2) as Double }
        guard let matrix = Matrix(elements: elements), matrix.isRotation else {
            throw node.problem("nine numbers of a rotation are needed, row by row")
        }
        return elements
    }

    private static func sign(_ node: JSONNode) throws(DocumentProblem) -> Int {
        let sign = try node.integer()
        guard sign.magnitude == 1 else { throw node.problem("a sign is 1 or -1") }
        return sign
    }

    // MARK: noise

    private static func axes(_ node: JSONNode) throws(DocumentProblem) -> [AxisNoise] {
        var axes: [AxisNoise] = []
        for part in try node.array() {
            guard axes.count < maximumAxisCount else { throw node.problem("more than \(maximumAxisCount) axes") }
            var axis = AxisNoise(
                randomWalk: try number(part["randomWalk"], notNegative),
                biasInstability: try number(part["biasInstability"], notNegative),
                rateRandomWalk: try number(part["rateRandomWalk"], notNegative))
            for point in try part.member("curve").array() {
                guard axis.curve.count < maximumPointCount else {
                    throw part.problem("more than \(maximumPointCount) points")
                }
                let parts = try vector(point, minimum: 0)
                axis.curve.append(AllanPoint(tau: parts.x, deviation: parts.y, uncertainty: parts.z))
            }
            axes.append(axis)
        }
        return axes
    }

    // MARK: values

    private static func number(_ node: JSONNode, _ range: ClosedRange<Double>) throws(DocumentProblem) -> Double {
        let number = try node.double()
        guard range.contains(number) else {
            throw node.problem("\(number) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func number(_ node: JSONNode?, _ range: ClosedRange<Double>) throws(DocumentProblem) -> Double? {
        guard let node else { return nil }
        return try number(node, range) as Double
    }

    private static func count(_ node: JSONNode) throws(DocumentProblem) -> Int {
        let count = try node.integer()
        guard count >= 0 else { throw node.problem("a count is not negative") }
        return count
    }

    private static func flag(_ node: JSONNode) throws(DocumentProblem) -> Bool {
        guard let flag = node.bool else { throw node.problem("true or false is needed") }
        return flag
    }

    private static func text(_ node: JSONNode) throws(DocumentProblem) -> String {
        let text = try node.text()
        guard text.utf8.count <= maximumTextLength else { throw node.problem("longer than \(maximumTextLength) bytes") }
        return text
    }

    private static func word<Word>(
        _ node: JSONNode, _ find: (String) -> Word?
    ) throws(DocumentProblem) -> Word {
        guard let word = find(try text(node)) else { throw node.problem("this word is not known") }
        return word
    }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Whether the matrix is orthonormal and not mirrored, to within 1e-3, because hardware databases write only seven
    /// digits and kernels six.
    var isRotation: Bool {
        let product = self * transpose
        for i in 0..<3 {
            for j in 0..<3 where abs(product[i, j] - (i == j ? 1 : 0)) > 1e-3 { return false }
        }
        return determinant > 0
    }
}
