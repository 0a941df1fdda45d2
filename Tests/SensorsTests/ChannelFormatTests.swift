import Sensors
import Testing

@Suite struct ChannelFormatTests {
    @Test(
        "the kernel's text is read and written alike",
        arguments: [
            "le:s16/16>>0", "be:u12/16>>4", "le:s24/32>>8", "be:s64/64>>0", "le:u8/8>>0", "le:s16/32X4>>0",
        ])
    func roundTrip(text: String) throws {
        #expect(try ChannelFormat(parsing: text).description == text)
    }

    @Test(
        "a text that is no format is refused by name",
        arguments: [
            "", "le", "le:", "le:s", "le:s16", "le:s16/", "le:s16/16>>", "xe:s16/16>>0", "le:q16/16>>0", "le:s0/16>>0",
            "le:s17/16>>0", "le:s16/16>>1", "le:s16/12>>0", "le:s16/0>>0", "le:s99999999999999999999/16>>0",
            "le:s16/16>>-1", "le:s16/16X0>>0", "le:s16/16X999>>0", "le:s+8/16>>0", "le:s16/16>>0 ", "le:s16/16X2X2>>0",
            "\u{0}\u{1}garbage", String(repeating: "9", count: 5000),
        ])
    func malformed(text: String) {
        #expect(throws: ChannelFormatError.self) { try ChannelFormat(parsing: text) }
    }

    @Test(
        "counts are taken from either byte order, above the shift and with their sign",
        arguments: [
            ("le:s16/16>>0", [0x34, 0x12], 0x1234), ("be:s16/16>>0", [0x12, 0x34], 0x1234),
            ("le:s16/16>>0", [0xff, 0xff], -1), ("le:u16/16>>0", [0xff, 0xff], 65535),
            ("le:u12/16>>4", [0xff, 0x12], 0x12f), ("le:s12/16>>4", [0x0f, 0x80], -2048),
            ("be:s24/32>>8", [0xff, 0xff, 0xfe, 0x77], -2), ("le:s8/8>>0", [0x80], -128),
            ("le:s12/16>>0", [0xff, 0x7f], -1), ("le:s32/32>>0", [0, 0, 0, 0x80], -2_147_483_648),
            ("le:u32/32>>0", [0xff, 0xff, 0xff, 0xff], 4_294_967_295),
            ("le:s64/64>>0", [0, 0, 0, 0, 0, 0, 0, 0x80], Int.min),
            ("le:u64/64>>0", [255, 255, 255, 255, 255, 255, 255, 255], Int.max),
            ("le:u1/8>>7", [0x80], 1),
        ] as [(String, [UInt8], Int)])
    func decodes(text: String, bytes: [UInt8], expected: Int) throws {
        let format = try ChannelFormat(parsing: text)
        #expect(bytes.withUnsafeBytes { format.decode($0, at: 0) } == Int64(expected))
    }

    @Test("each of repeated values has its place")
    func repeats() throws {
        let format = try ChannelFormat(parsing: "le:s16/16X3>>0")
        let bytes: [UInt8] = [9, 9, 1, 0, 2, 0, 3, 0]
        #expect(bytes.withUnsafeBytes { raw in (0..<3).map { format.decode(raw, at: 2, element: $0) } } == [1, 2, 3])
        #expect(bytes.withUnsafeBytes { format.decode($0, at: 2, element: 3) } == nil)
    }

    @Test("nothing is read outside of the bytes", arguments: [-1, 1, 3, 100, Int.max, Int.min])
    func bounds(offset: Int) throws {
        let format = try ChannelFormat(parsing: "le:s32/32>>0")
        let bytes: [UInt8] = [1, 2, 3, 4]
        #expect(bytes.withUnsafeBytes { format.decode($0, at: offset) } == nil)
    }

    @Test("a scan is laid out in the order of indices, each channel aligned to its size")
    func layout() throws {
        let short = try ChannelFormat(parsing: "le:s16/16>>0")
        let long = try ChannelFormat(parsing: "le:s64/64>>0")
        // Three axes in the device's order x, z, y and a stamp: 6 bytes, 2 of padding, 8.
        let scan = ScanLayout([
            .init(index: 0, format: short), .init(index: 2, format: short), .init(index: 1, format: short),
            .init(index: 3, format: long),
        ])
        #expect(scan.offsets == [0, 4, 2, 8] && scan.stride == 16)
        #expect(ScanLayout([.init(index: 5, format: short)]).stride == 2)
        #expect(ScanLayout([]).stride == 0)
    }

    @Test("a layout found in a buffer has to lie within its scan")
    func foundLayout() throws {
        let element = ScanLayout.Element(index: 0, format: try ChannelFormat(parsing: "le:s32/32>>0"))
        #expect(ScanLayout(offsets: [4], elements: [element], stride: 8)?.offsets == [4])
        #expect(ScanLayout(offsets: [5], elements: [element], stride: 8) == nil)
        #expect(ScanLayout(offsets: [-1], elements: [element], stride: 8) == nil)
        #expect(ScanLayout(offsets: [], elements: [element], stride: 8) == nil)
        #expect(ScanLayout(offsets: [0], elements: [element], stride: 0) == nil)
    }
}
