import CPoseRing
import Testing

/// The layout is a promise to programs that were built earlier.
@Suite("Layout of the pose ring")
struct RingLayoutTests {
    @Test("the header's fields are where they were")
    func header() {
        typealias Header = waymark_ring_header
        #expect(MemoryLayout<Header>.size == 256 && MemoryLayout<Header>.stride == 256)
        let offsets: [(PartialKeyPath<Header>, Int)] = [
            (\.magic, 0), (\.layout_version, 8), (\.header_size, 12), (\.slot_count, 16), (\.slot_size, 20),
            (\.clock, 24), (\.boot_id, 32), (\.daemon_generation, 48), (\.newest, 64), (\.ended, 132),
        ]
        for (field, offset) in offsets { #expect(MemoryLayout<Header>.offset(of: field) == offset) }
    }

    @Test("the doorbell's fields are where they were")
    func doorbell() {
        typealias Doorbell = waymark_ring_doorbell
        #expect(MemoryLayout<Doorbell>.size == 8)
        #expect(MemoryLayout<Doorbell>.offset(of: \.waiting) == 0 && MemoryLayout<Doorbell>.offset(of: \.futex) == 4)
    }

    @Test("the slot's fields are where they were")
    func slot() {
        typealias Slot = waymark_ring_slot
        #expect(MemoryLayout<Slot>.size == 512 && MemoryLayout<Slot>.stride == 512)
        let offsets: [(PartialKeyPath<Slot>, Int)] = [
            (\.version, 0), (\.sequence, 8), (\.time, 16), (\.utc, 24), (\.fields, 32), (\.generation, 36),
            (\.state, 40), (\.orientation_tracking, 41), (\.position_tracking, 42), (\.heading_reference, 43),
            (\.motion_mode, 44), (\.motion_probability, 48), (\.reasons, 56), (\.sources, 64), (\.position, 72),
            (\.orientation, 96), (\.linear_velocity, 128), (\.angular_velocity, 152), (\.turning_rate, 176),
            (\.turning_acceleration, 200), (\.acceleration, 224), (\.latitude, 248), (\.longitude, 256),
            (\.height, 264), (\.heading, 272), (\.course, 280), (\.speed, 288), (\.horizontal_accuracy, 296),
            (\.vertical_accuracy, 304), (\.yaw_accuracy, 312), (\.horizontal_velocity_accuracy, 320),
            (\.vertical_velocity_accuracy, 328), (\.angular_velocity_accuracy, 336), (\.map_latitude, 344),
            (\.map_longitude, 352), (\.map_height, 360), (\.map_yaw, 368), (\.map_east, 376), (\.map_north, 384),
            (\.map_up, 392), (\.yaw_acceleration_square, 400), (\.vertical_jerk_square, 456),
        ]
        for (field, offset) in offsets { #expect(MemoryLayout<Slot>.offset(of: field) == offset) }
    }

    @Test("presence bits keep their numbers")
    func bits() {
        let bits = [
            WAYMARK_RING_HAS_UTC, WAYMARK_RING_HAS_GEO, WAYMARK_RING_HAS_HEADING, WAYMARK_RING_HAS_COURSE,
            WAYMARK_RING_HAS_SPEED, WAYMARK_RING_HAS_MOTION, WAYMARK_RING_HAS_HORIZONTAL_ACCURACY,
            WAYMARK_RING_HAS_VERTICAL_ACCURACY, WAYMARK_RING_HAS_YAW_ACCURACY,
            WAYMARK_RING_HAS_HORIZONTAL_VELOCITY_ACCURACY, WAYMARK_RING_HAS_VERTICAL_VELOCITY_ACCURACY,
            WAYMARK_RING_HAS_ANGULAR_VELOCITY_ACCURACY, WAYMARK_RING_HAS_MAP,
        ]
        for (index, bit) in bits.enumerated() { #expect(bit.rawValue == 1 << UInt32(index)) }
    }

    @Test(
        "a mapping that is no ring, or whose sizes lead out of it, is refused",
        arguments: [
            (\waymark_ring_header.header_size, 0), (\.header_size, 252), (\.header_size, 1 << 20), (\.slot_count, 0),
            (\.slot_count, 65), (\.slot_count, .max), (\.slot_size, 8), (\.slot_size, 516), (\.slot_size, .max),
            (\.layout_version, 2), (\.layout_version, 0),
        ] as [(WritableKeyPath<waymark_ring_header, UInt32> & Sendable, UInt32)])
    func malformed(field: WritableKeyPath<waymark_ring_header, UInt32> & Sendable, value: UInt32) {
        let size = Int(waymark_ring_size())
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        defer { memory.deallocate() }
        let header = memory.assumingMemoryBound(to: waymark_ring_header.self)
        var ring = waymark_ring()
        #expect(waymark_ring_open(&ring, memory, size) == WAYMARK_RING_MALFORMED)
        waymark_ring_begin(header, [UInt8](repeating: 7, count: 16), 1)
        #expect(waymark_ring_open(&ring, memory, size) == WAYMARK_RING_READABLE)
        #expect(waymark_ring_open(&ring, memory, size - 1) == WAYMARK_RING_MALFORMED)
        #expect(waymark_ring_open(&ring, memory, 16) == WAYMARK_RING_MALFORMED)
        header.pointee[keyPath: field] = value
        #expect(waymark_ring_open(&ring, memory, size) != WAYMARK_RING_READABLE)
    }
}
