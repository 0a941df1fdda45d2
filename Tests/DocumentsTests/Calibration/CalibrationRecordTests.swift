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

    @Test("corrects the same sample to the same physical vector")
    func turned() throws {
        let record = CalibrationDocumentTests.record(.accelerometer)
        let sample = Vector3(1.25, -9.5, 3)
        let before = try #require(record.calibration(at: time)).applied(to: matrix(old) * sample)
        let after = try #require(record.turned(to: new).calibration(at: time)).applied(to: matrix(new) * sample)
        let same = matrix(new) * (matrix(old).transpose * before)
        // A few roundings of numbers of ten.
        #expect((after - same).norm < 1e-13)
        #expect(record.turned(to: new).turned(to: old).fit?.bias == record.fit?.bias)
    }

    @Test("the rotation of the whole board leads to the same body")
    func mount() throws {
        var record = CalibrationDocumentTests.record(.mount)
        record.fit?.correction = matrix([0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1])
        record.fit?.bias = .zero
        let sample = Vector3(1, 2, 3)
        let before = try #require(record.calibration(at: time)).applied(to: matrix(old) * sample)
        let after = try #require(record.turned(to: new).calibration(at: time)).applied(to: matrix(new) * sample)
        #expect((after - before).norm < 1e-14)
    }

    @Test("that has come to contain the rotation of a compass takes it over, and the field stays in the same axes")
    func takenOver() throws {
        // A correction that contains a rotation, near it as a fit is.
        let turn = matrix([0, -1, 0, 1, 0, 0, 0, 0, 1])
        var record = CalibrationDocumentTests.record(.magnetometer)
        record.mountMatrix = old
        record.fit?.correction = matrix([1.1, 0.02, 0.03, -0.01, 0.9, 0.02, 0, 0.05, 1]) * turn
        record.turn = turn.rowElements
        record.accelerometerMount = old
        let sample = Vector3(20, -5, 43)
        func field(_ record: CalibrationRecord, _ mount: Matrix<3, 3>) throws -> Vector3 {
            try #require(record.calibration(at: time)).applied(to: mount * sample)
        }
        let before = try field(record, matrix(old))
        let configured = (turn * matrix(old)).rowElements
        let after = record.turned(to: configured, accelerometer: old)
        #expect((try field(after, matrix(configured)) - before).norm < 1e-12)
        #expect(after.turn == nil)
        #expect((try #require(after.fit).correction - .identity).norm < 0.3)
        #expect(record.turned(to: configured).fit == after.fit)
        // The whole board by the same rotation: its axes change, and so does the field in them.
        let whole = record.turned(to: configured, accelerometer: configured)
        #expect((try field(whole, matrix(configured)) - turn * before).norm < 1e-12)
        #expect(whole.turn == record.turn && whole.accelerometerMount == configured)
        let document = CalibrationDocument([
            DeviceCalibration(nil, sensors: [SensorRecords(.magnetometer, present: record)])
        ])
        #expect(try CalibrationDocument.read(document.bytes) == document)
    }

    @Test("is left as it is, bit by bit, under the mount it was made with, and where none is known")
    func same() {
        var record = CalibrationDocumentTests.record(.gyroscope)
        #expect(record.turned(to: old) == record)
        #expect(record.turned(to: nil) == record)
        record.mountMatrix = nil
        #expect(record.turned(to: new) == record)
    }

    @Test("deviations of the bias are those of what is applied")
    func standardDeviations() throws {
        var record = CalibrationDocumentTests.record(.magnetometer)
        record.fit?.correction = matrix([2, 0, 0, 0, 3, 4, 0, 0, 1])
        record.fit?.biasStandardDeviation = Vector3(1, 1, 1)
        #expect(try #require(record.calibration(at: time)).biasStandardDeviation == Vector3(2, 5, 1))
        // The matrix that turns has x and z exchanged.
        let turned = record.turned(to: new)
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
