import Sensors
import Testing

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
}
