import Calibration
import Documents
import Estimation
import Geometry
import Model
import Persistence
import Testing

@Suite("Hostile numbers in a file of calibrations")
struct HostileCalibrationTests {
    private static let numbers = [
        "0", "5e-324", "1e20", "1e308", "-1e308", "NaN", "inf", "-inf", "1e999", "1e-400", "1e15",
    ]

    /// A document with every number that a record has.
    private static let document: CalibrationDocument = {
        var device = DeviceCalibration(CalibratedDevice(name: "imu"))
        for sensor in SensorCalibration.Sensor.allCases {
            var record = CalibrationRecord(time: 1.7e9, origin: .calibrate, kind: .magnetometer, residualUnit: "x")
            record.fit = SensorFit(
                sensor: sensor, correction: Matrix.identity, bias: Vector3(0.5, 0.25, 0.125),
                correctionStandardDeviation: Matrix.identity, biasStandardDeviation: Vector3(0.5, 0.25, 0.125))
            record.residualRMS = 0.5
            record.residualRMSBefore = 0.25
            record.predictedHeadingError = 0.5
            record.predictedTiltError = 0.5
            record.poses = 9
            record.coverage = 0.5
            record.temperature = 23.5
            record.samples = 1000
            record.seconds = 60
            record.mountMatrix = [0, 1, 0, -1, 0, 0, 0, 0, 1]
            device.add(record, of: CalibratedSensor(sensor))
        }
        var noise = CalibrationRecord(time: 1, origin: .import, kind: .noise)
        noise.noise = [
            AxisNoise(
                randomWalk: 1e-5, biasInstability: 1e-6, rateRandomWalk: 1e-7,
                curve: [AllanPoint(tau: 0.005, deviation: 1e-3, uncertainty: 0.01)])
        ]
        device.add(noise, of: .noise)
        return CalibrationDocument([device])
    }()

    /// Where the numbers of a JSON text are.
    private static func places(_ text: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var isInText = false
        var start: Int?
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "\"") { isInText.toggle() }
            let isPart = !isInText && "+-.eE0123456789".utf8.contains(byte)
            // The e of true and false begins no number.
            if isPart, start == nil, byte != UInt8(ascii: "e") { start = index }
            if !isPart, let begun = start {
                places.append(begun..<index)
                start = nil
            }
        }
        return places
    }

    @Test("are a problem with its path, or leave a record that is sound or has a flaw", arguments: numbers)
    func anywhere(number: String) throws {
        let text = Self.document.bytes
        let places = Self.places(text)
        #expect(places.count > 100)
        for place in places {
            var changed = text
            changed.replaceSubrange(place, with: number.utf8)
            guard let read = try? CalibrationDocument.read(changed) else { continue }
            #expect(!["NaN", "inf", "-inf", "1e999"].contains(number))
            for record in read.devices.flatMap({ $0.sensors }).flatMap({ [$0.present] + $0.history }) {
                guard record.flaw == nil, let calibration = record.calibration(at: BootTime(nanoseconds: 0)) else {
                    continue
                }
                #expect(calibration.usable() != nil)
                #expect(calibration.applied(to: Vector3(1, 2, 3)).isFinite)
            }
            // What is written of it can be read again.
            #expect((try? CalibrationDocument.read(read.bytes)) != nil, "\(number) at \(place)")
        }
    }
}
