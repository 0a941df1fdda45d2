import Calibration
import Documents
import Foundation
import Geometry
import Glibc
import Linux
import Model
import TestTools
import Persistence
import Testing

@Suite("The folder of calibrations")
struct CalibrationStoreTests {
    private let folder = ScratchFolder()
    private var store: CalibrationStore { CalibrationStore(state: folder.path + "/state") }
    private let device = CalibratedDevice(name: "imu_6axis", label: "display")

    private func calibration(_ bias: Double, of device: CalibratedDevice? = nil) -> DeviceCalibration {
        var record = CalibrationRecord(time: 1.7e9, origin: .calibrate, kind: .gyroscope, residualUnit: "rad/s")
        record.fit = SensorFit(sensor: .gyroscope, bias: Vector3(bias, 0, 0))
        var calibration = DeviceCalibration(device ?? self.device)
        calibration.add(record, of: .gyroscope)
        return calibration
    }

    private func path(_ device: CalibratedDevice) -> String { store.path(of: device) }

    @Test("is read as it was written, and is readable by the daemon alone")
    func written() throws {
        #expect(store.load().devices.isEmpty)
        let other = CalibratedDevice(name: "imu_6axis", label: "base")
        try store.save(calibration(0.1))
        try store.save(calibration(0.2))
        try store.save(calibration(0.3, of: other))
        let content = store.load()
        #expect(Set(content.devices) == [calibration(0.2), calibration(0.3, of: other)])
        #expect(content.warnings.isEmpty && content.untouchable.isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: path(device))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/calibration")
        #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".json") })
    }

    @Test("a device of which nothing is kept any more has no file")
    func empty() throws {
        try store.save(calibration(0.1))
        try store.save(DeviceCalibration(device))
        #expect(!FileManager.default.fileExists(atPath: path(device)))
        try store.save(DeviceCalibration(device))
    }

    @Test("a damaged file is moved out of the way, and the others are used")
    func damaged() throws {
        let other = CalibratedDevice(name: "mag")
        try store.save(calibration(0.1))
        try store.save(calibration(0.2, of: other))
        let bytes = try Data(contentsOf: URL(filePath: path(device)))
        for damage in [Data(), bytes.dropLast(9), Data("{}".utf8), bytes + bytes] {
            try damage.write(to: URL(filePath: path(device)))
            let content = store.load()
            #expect(content.devices == [calibration(0.2, of: other)])
            #expect(content.warnings.count == 1 && content.warnings[0].contains(path(device) + ".damaged"))
            #expect(try Data(contentsOf: URL(filePath: path(device) + ".damaged")) == damage)
        }
    }

    @Test("one that is of another device than its name says is not used")
    func renamed() throws {
        try store.save(calibration(0.1))
        try FileManager.default.moveItem(atPath: path(device), toPath: path(CalibratedDevice(name: "x")))
        let content = store.load()
        #expect(content.devices.isEmpty && content.warnings.count == 1)
    }

    @Test("one of a newer version is not used, and left as it is")
    func newer() throws {
        try store.save(calibration(0.1))
        let text = try String(contentsOfFile: path(device), encoding: .utf8)
        let newer = text.replacing("\"version\":1", with: "\"version\":99")
        try Data(newer.utf8).write(to: URL(filePath: path(device)))
        let content = store.load()
        #expect(content.devices.isEmpty && content.untouchable[path(device)] != nil)
        #expect(try String(contentsOfFile: path(device), encoding: .utf8) == newer)
    }

    @Test("what a loss of power left half written harms nothing")
    func leftBehind() throws {
        try store.save(calibration(0.1))
        try Data([9]).write(to: URL(filePath: path(device) + ".new"))
        #expect(store.load().devices == [calibration(0.1)])
        try store.save(calibration(0.2))
        #expect(store.load().devices == [calibration(0.2)])
    }

    @Test("a folder, a FIFO or a link to nowhere in its place is none")
    func hostile() throws {
        try store.save(calibration(0.1))
        unlink(path(device))
        mkfifo(path(device), 0o600)
        #expect(store.load().devices.isEmpty)
        symlink("/nowhere", path(CalibratedDevice(name: "link")))
        mkdir(path(CalibratedDevice(name: "folder")), 0o700)
        #expect(store.load().devices.isEmpty)
    }

    @Test("that cannot be read to its end gives what was found, with one warning that says what to do")
    func brokenOff() throws {
        let other = CalibratedDevice(name: "mag")
        try store.save(calibration(0.1))
        try store.save(calibration(0.2, of: other))
        var listing = File.listing(of: folder.path + "/state/calibration")
        #expect(listing.names.count == 2 && store.load(listing).unread == nil)
        listing.names.removeAll { path(other).hasSuffix($0) }
        listing.error = FileError(code: EIO)
        let content = store.load(listing)
        #expect(content.devices == [calibration(0.1)] && content.unread != nil && content.warnings.count == 1)
        #expect(content.warnings.first?.contains("Input/output error") == true)
        #expect(content.warnings.first?.contains("check the disk") == true)
    }

    @Test("that cannot be read at all is reported once; one that is missing is not")
    func unreadable() {
        #expect(store.load().warnings.isEmpty)
        mkdir(folder.path + "/state", 0o700)
        // A link to itself.
        symlink("calibration", folder.path + "/state/calibration")
        let content = store.load()
        #expect(content.devices.isEmpty && content.unread != nil && content.warnings.count == 1)
    }

    @Test("keeps a file that was not found, whatever is calibrated")
    func unlisted() throws {
        var stored = calibration(0.1)
        var record = CalibrationRecord(time: 1.7e9, origin: .calibrate, kind: .magnetometer, residualUnit: "µT")
        record.fit = SensorFit(sensor: .magnetometer, bias: Vector3(1, 2, 3))
        stored.add(record, of: .magnetometer)
        try store.save(stored)
        let reactor = try Reactor()
        let repository = try CalibrationRepository(
            reactor, store, store.load(File.Listing(error: FileError(code: EIO))))
        func calibrate(_ device: CalibratedDevice) -> CalibrationRepository.Problem? {
            record.fit?.bias = Vector3(4, 5, 6)
            var answer: CalibrationRepository.Problem??
            repository.apply([CalibrationEdit(device: device, sensor: .magnetometer, record: record)]) {
                answer = .some($0)
            }
            while answer == nil { reactor.runOnce(milliseconds: 1000) }
            return answer ?? nil
        }
        let problem = calibrate(device)
        #expect(problem?.path == path(device) && problem?.reason.contains("was not found at the start") == true)
        #expect(repository.kept.isEmpty && store.load().devices == [stored])
        // A device without a file is calibrated as ever.
        let other = CalibratedDevice(name: "mag")
        #expect(calibrate(other) == nil && calibrate(other) == nil)
        #expect(store.load().devices.count == 2)
        repository.requestEnd()
        repository.end(timeoutSeconds: 10)
    }
}
