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

    @Test(
        "a read is only a copy where a trigger fills the buffer, and no queue in the chip may do so",
        arguments: [
            (["trigger/current_trigger"], true),
            (["trigger/current_trigger", "buffer/hwfifo_enabled"], false),
            (["buffer/enable"], false),
        ])
    func readsFromMemory(attributes: [String], isMemory: Bool) throws {
        let folder = ScratchFolder()
        for attribute in attributes {
            let path = URL(filePath: folder.path).appending(path: "iio:device0/\(attribute)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("0\n".utf8).write(to: path)
        }
        let device = KernelDevice(identifier: "iio:device0", directory: folder.path)
        #expect(device.readsFromMemory == isMemory)
    }
}
