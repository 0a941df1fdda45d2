import Foundation
import Sensors
import TestTools
import Testing

@Suite struct KernelDeviceTests {
    @Test("a device is gone when another one has its number")
    func replaced() throws {
        let folder = ScratchFolder()
        let path = folder.path + "/iio:device0"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let device = KernelDevice(identifier: "iio:device0", directory: folder.path)
        #expect(!device.isGone)
        // Kept, because a file system may give the inode number again.
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/gone")
        #expect(device.isGone)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(device.isGone)
        #expect(!KernelDevice(identifier: "iio:device0", directory: folder.path).isGone)
    }
}
