import Calibration
import Documents
import Geometry
import Model
import Testing

@Suite("A calibration under another mount")
struct CalibrationRecordTests {
    private let time = BootTime(nanoseconds: 0)
    private let old = [0.0, 1, 0, -1, 0, 0, 0, 0, 1]
    private let new = [0.0, 0, 1, 0, 1, 0, -1, 0, 0]

    private func matrix(_ rows: [Double]) -> Matrix<3, 3> {
        Matrix(
            Vector3(rows[0], rows[1], rows[2]), Vector3(rows[3], rows[4], rows[5]), Vector3(rows[6], rows[7], rows[8]))
    }

    /// A rotation of each kind that mount matrices have: the 24 between axes, and others.
    private static let rotations =
        AxisTurn.all.map(\.matrix)
        + [0.3, 1.1, 2.9].map { Rotation3.about(Vector3($0, -1, 0.4), by: 2 * $0).matrix }

    /// Rotation number `index` of a sequence in which each is followed by any other.
    private static func rotation(_ index: Int) -> Matrix<3, 3> { rotations[index * index % 109 % rotations.count] }

    private func corrected(_ record: CalibrationRecord, _ mount: SensorMount, _ sample: Vector3) throws -> Vector3 {
        let measured = Double(mount.sign) * sample
        return try #require(record.calibration(at: time)).applied(to: matrix(mount.matrix) * measured)
    }

    @Test("corrects the same sample to the same physical vector, rotated as the body's axes")
    func turned() throws {
        let sample = Vector3(1.25, -9.5, 3)
        for index in 0..<200 {
            let before = SensorMount(Self.rotation(index).rowElements, sign: index.isMultiple(of: 2) ? 1 : -1)
            let after = SensorMount(Self.rotation(index + 7).rowElements, sign: index.isMultiple(of: 3) ? 1 : -1)
            var record = CalibrationDocumentTests.record(.accelerometer)
            record.mount = before
            let turned = record.turned(to: after, accelerometer: after)
            let body = matrix(after.matrix) * matrix(before.matrix).transpose
            let same = body * (Double(before.sign * after.sign) * (try corrected(record, before, sample)))
            // A few roundings of numbers of ten.
            #expect((try corrected(turned, after, sample) - same).norm < 1e-13, "\(index)")
            #expect(try #require(turned.fit).correction.determinant > 0)
            let back = turned.turned(to: before, accelerometer: before)
            let (bias, biasBefore) = (try #require(back.fit?.bias), try #require(record.fit?.bias))
            #expect((bias - biasBefore).norm < 1e-14)
            #expect(back.mount == record.mount)
        }
    }

    @Test("of a compass that was compared stays in the body's axes, whichever sensor is mounted anew")
    func compared() throws {
        let sample = Vector3(20, -5, 43)
        for index in 0..<400 {
            let before = SensorMount(Self.rotation(index).rowElements, sign: index.isMultiple(of: 2) ? 1 : -1)
            let after = SensorMount(Self.rotation(index + 5).rowElements, sign: index.isMultiple(of: 3) ? 1 : -1)
            // Neither, one alone and both of them move.
            let mount = index.isMultiple(of: 5) ? before : after
            let accelerometer = SensorMount(Self.rotation(index + 11).rowElements, sign: -1)
            let other = index.isMultiple(of: 7) ? accelerometer : SensorMount(Self.rotation(index + 13).rowElements)
            let turn = Self.rotation(index + 3)
            var record = CalibrationDocumentTests.record(.magnetometer)
            record.mount = before
            record.fit?.correction = matrix([1.1, 0.02, 0.03, -0.01, 0.9, 0.02, 0, 0.05, 1]) * turn
            record.turn = turn.rowElements
            record.accelerometerMount = accelerometer.matrix
            let turned = record.turned(to: mount, accelerometer: other)
            let body = matrix(other.matrix) * matrix(accelerometer.matrix).transpose
            let same = body * (Double(before.sign * mount.sign) * (try corrected(record, before, sample)))
            #expect((try corrected(turned, mount, sample) - same).norm < 1e-12, "\(index)")
            #expect(try #require(turned.fit).correction.determinant > 0)
            // What is contained is still near to the rotation that the record names.
            let contained = matrix(try #require(turned.turn))
            #expect((try #require(turned.fit).correction * contained.transpose - .identity).norm < 0.3)
            // By way of other mounts as well.
            let way = record.turned(to: after, accelerometer: before).turned(to: mount, accelerometer: other)
            let (fit, fitByWay) = (try #require(turned.fit), try #require(way.fit))
            #expect((fitByWay.correction - fit.correction).norm < 1e-14 && (fitByWay.bias - fit.bias).norm < 1e-14)
            #expect(way.accelerometerMount == turned.accelerometerMount)
        }
    }

    @Test("the mount matrix takes over the rotation of a compass, also without an accelerometer, now or then")
    func takenOver() throws {
        let turn = matrix([0, -1, 0, 1, 0, 0, 0, 0, 1])
        var record = CalibrationDocumentTests.record(.magnetometer)
        record.mount = SensorMount(old)
        record.fit?.correction = matrix([1.1, 0.02, 0.03, -0.01, 0.9, 0.02, 0, 0.05, 1]) * turn
        (record.turn, record.accelerometerMount) = (turn.rowElements, old)
        let configured = SensorMount((turn * matrix(old)).rowElements)
        let after = record.turned(to: configured, accelerometer: SensorMount(old))
        #expect(after.turn == Matrix<3, 3>.identity.rowElements)
        #expect((try #require(after.fit).correction - .identity).norm < 0.3)
        #expect(record.turned(to: configured) == after)
        var alone = record
        alone.accelerometerMount = nil
        #expect(alone.turned(to: configured, accelerometer: SensorMount(new)).fit == after.fit)
        #expect(alone.turned(to: configured).turn == after.turn)
        let document = CalibrationDocument([
            DeviceCalibration(nil, sensors: [SensorRecords(.magnetometer, present: record)])
        ])
        #expect(try CalibrationDocument.read(document.bytes) == document)
    }

    @Test("the rotation of the whole board leads to the same body, also from gravity of the other sign")
    func board() throws {
        for index in 0..<100 {
            let before = SensorMount(Self.rotation(index).rowElements)
            let after = SensorMount(Self.rotation(index + 7).rowElements, sign: index.isMultiple(of: 2) ? 1 : -1)
            var record = CalibrationDocumentTests.record(.mount)
            record.mount = before
            record.fit?.correction = Rotation3.about(Vector3(1, 2, 3), by: 0.1 * Double(index)).matrix
            record.fit?.bias = .zero
            let turned = record.turned(to: after, accelerometer: after)
            // Up and ahead were the opposite of what they are now.
            let back = try #require(record.fit).correction.transpose
            for axis in [Vector3(0, 1, 0), Vector3(0, 0, -1)] {
                let sample = matrix(before.matrix).transpose * (back * axis)
                #expect((try corrected(turned, after, sample) - axis).norm < 1e-14)
            }
            #expect(try #require(turned.fit).correction.determinant > 0)
        }
    }

    @Test("is left as it is, bit by bit, under the mount it was made with, and where none is known")
    func same() {
        var record = CalibrationDocumentTests.record(.gyroscope)
        #expect(record.turned(to: SensorMount(old)) == record)
        #expect(record.turned(to: nil) == record)
        record.mountMatrix = nil
        #expect(record.turned(to: SensorMount(new)) == record)
    }

    @Test("an opposite sign turns the bias round; a record that is older than the setting was made with 1")
    func sign() throws {
        let record = CalibrationDocumentTests.record(.accelerometer)
        let inverted = record.turned(to: SensorMount(old, sign: -1))
        let bias = try #require(record.fit?.bias)
        #expect(inverted.fit?.bias == -bias)
        #expect(inverted.fit?.correction == record.fit?.correction && inverted.sign == -1)
        func text(_ record: CalibrationRecord) -> String {
            let device = DeviceCalibration(nil, sensors: [SensorRecords(.accelerometer, present: record)])
            return String(decoding: CalibrationDocument([device]).bytes, as: UTF8.self)
        }
        func read(_ text: String) throws -> CalibrationRecord? {
            try CalibrationDocument.read(Array(text.utf8)).devices[0][.accelerometer]?.present
        }
        #expect(try read(text(inverted)) == inverted)
        let member = ",\"sign\":-1"
        #expect(text(inverted).contains(member))
        let parts = text(inverted).split(separator: member)
        try #require(parts.count == 2)
        #expect(try read(String(parts[0] + parts[1]))?.sign == 1)
        #expect(throws: CalibrationDocumentError.self) { try read(String(parts[0] + ",\"sign\":0" + parts[1])) }
    }

    @Test("deviations of the bias are those of what is applied")
    func standardDeviations() throws {
        var record = CalibrationDocumentTests.record(.magnetometer)
        record.fit?.correction = matrix([2, 0, 0, 0, 3, 4, 0, 0, 1])
        record.fit?.biasStandardDeviation = Vector3(1, 1, 1)
        #expect(try #require(record.calibration(at: time)).biasStandardDeviation == Vector3(2, 5, 1))
        // The matrix that turns has x and z exchanged.
        let turned = record.turned(to: SensorMount(new))
        #expect(turned.fit?.biasStandardDeviation == Vector3(1, 1, 1))
    }

    @Test("devices of the same name are distinguished by label, serial number or location")
    func slugs() {
        let plain = CalibratedDevice(name: "imu_6axis")
        let labelled = CalibratedDevice(name: "imu_6axis", label: "display")
        #expect(plain.slug != labelled.slug && plain.slug.hasPrefix("imu_6axis-"))
        #expect(plain.slug == CalibratedDevice(name: "imu_6axis").slug)
        let hostile = CalibratedDevice(name: "../../etc/passwd\u{0}" + String(repeating: "é", count: 200))
        #expect(hostile.slug.utf8.count < 64 && hostile.slug.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 > 32 })
    }
}
