import Foundation
import Geometry
import Sensors
import Testing

/// systemd's matrices of accelerometers; nil where udev is not installed.
private let hardwareDatabase = ["/usr/lib/udev/hwdb.d/60-sensor.hwdb", "/lib/udev/hwdb.d/60-sensor.hwdb"]
    .first { FileManager.default.fileExists(atPath: $0) }

@Suite struct MountMatrixTests {
    @Test(
        "rotations are taken as the kernel and udev write them",
        arguments: [
            "1, 0, 0; 0, 1, 0; 0, 0, 1", "0, 1, 0; -1, 0, 0; 0, 0, 1", "0,-1,0;1,0,0;0,0,1\n",
            "0.7071068, -0.7071068, 0; 0.7071068, 0.7071068, 0; 0, 0, 1",
        ])
    func rotations(text: String) throws {
        #expect(try MountMatrix(parsing: text).elements.count == 9)
    }

    @Test(
        "what does not rotate is refused",
        arguments: [
            "", "1, 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, -1", "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 1, 0, 0; 0, 0, 1",
            "1, 0, 0; 0, 1.01, 0; 0, 0, 1", "nan, 0, 0; 0, 1, 0; 0, 0, 1", "1e999, 0, 0; 0, 1, 0; 0, 0, 1",
            "1, 0, 0; 0, 1, 0; 0, 0, 1; 0, 0, 0", "1, 0; 0, 1, 0; 0, 0, 1", "a, b, c; d, e, f; g, h, i",
            "0x1, 0, 0; 0, 1, 0; 0, 0, 1",
        ])
    func refused(text: String) {
        #expect(throws: MountMatrixError.self) { try MountMatrix(parsing: text) }
    }

    /// The matrix times the vector.
    private func turned(_ matrix: MountMatrix, _ vector: Vector3) -> Vector3 {
        let m = matrix.elements
        return Vector3(
            Vector3(m[0], m[1], m[2]).dot(vector), Vector3(m[3], m[4], m[5]).dot(vector),
            Vector3(m[6], m[7], m[8]).dot(vector))
    }

    /// Readings of upright screens, up to their scale: the Onda v975 and the Winbook TW100 in the tests of
    /// iio-sensor-proxy, the GPD Win 5 where its entry was proposed to systemd. All are tilted back a little or not at
    /// all.
    @Test(
        "a mirror image of the hardware database makes specific force point up, as it was measured on such devices",
        arguments: [
            ("0, -1, 0; -1, 0, 0; 0, 0, 1", [523.0, 13, 5]), ("0, -1, 0; -1, 0, 0; 0, 0, 1", [24, 0, -21]),
            ("0, -1, 0; -1, 0, 0; 0, 0, 1", [1, 0, 0]),
        ])
    func mirrored(entry: String, reading: [Double]) throws {
        let (matrix, isMirrored) = try MountMatrix.inDatabase(entry)
        #expect(isMirrored)
        let up = turned(matrix, Vector3(reading[0], reading[1], reading[2])).normalized!
        #expect(up.y > 0.7 && up.y > up.x.magnitude && up.z > -0.02)
    }

    @Test("the opposite of a mirror image is a rotation, and an entry that is a rotation is taken as it is")
    func opposite() throws {
        // cros_ec has the kernel's axes and the opposite convention of the database: 60-sensor.hwdb.
        let chromebook = try MountMatrix.inDatabase("-1, 0, 0; 0, -1, 0; 0, 0, -1")
        #expect(chromebook.matrix == .identity && chromebook.isMirrored)
        let plain = try MountMatrix.inDatabase("0, 1, 0; -1, 0, 0; 0, 0, 1")
        #expect(plain.matrix.elements == [0, 1, 0, -1, 0, 0, 0, 0, 1] && !plain.isMirrored)
        for damaged in ["1, 0, 0; 0, -1, 0; 1, 0, 0", "", "1, 0, 0; 0, 1, 0; 0, 0, nan"] {
            #expect(throws: MountMatrixError.self) { try MountMatrix.inDatabase(damaged) }
        }
    }

    @Test(
        "every matrix of systemd's hardware database is understood, most as mirror images, or refused with the reason",
        .enabled(if: hardwareDatabase != nil, "there is no 60-sensor.hwdb: it is in the package udev"))
    func database() throws {
        let text = try String(contentsOfFile: try #require(hardwareDatabase), encoding: .utf8)
        let key = " ACCEL_MOUNT_MATRIX="
        let entries = text.split(separator: "\n").filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
        // systemd 252 has 203, systemd 257 joins entries of equal matrices: 151.
        #expect(entries.count > 100)
        var mirrored = 0
        var refused: [String] = []
        for entry in entries {
            // A remark may follow it.
            let numbers = String(entry.prefix { $0 != "#" })
            let written = numbers.split { ",;".contains($0) }.map { Double($0.trimmingCharacters(in: .whitespaces)) }
            do throws(MountMatrixError) {
                let (matrix, isMirrored) = try MountMatrix.inDatabase(numbers)
                // A mirror image stands for its opposite, a rotation for itself.
                #expect(matrix.elements == written.map { isMirrored ? 0 - ($0 ?? .nan) : $0 }, "\(entry)")
                #expect((try? MountMatrix(matrix.elements)) != nil, "\(entry) gives no rotation")
                #expect(((try? MountMatrix(parsing: numbers)) == nil) == isMirrored, "\(entry)")
                if isMirrored { mirrored += 1 }
            } catch {
                #expect(error.reason.contains("is not orthonormal"), "\(entry): \(error)")
                refused.append(entry)
            }
        }
        // One axis is named twice: two entries of systemd 252 are so.
        #expect(refused.count <= 4, "\(refused)")
        #expect(mirrored * 2 > entries.count, "\(mirrored) of \(entries.count) are mirrored")
    }
}
