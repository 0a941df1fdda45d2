import Glibc
import Linux
import Sensors
import Synchronization
import Testing

/// Pipe in place of a device's buffer: each byte is a sample, and its end is the end of the device.
private final class PipeBuffer: HeldBuffer, @unchecked Sendable {
    let isInertial: Bool
    var nextArrival: Int64 = 0
    /// Called before each attempt to read.
    var willRead: () -> Void = {}
    private(set) var attempts = 0
    private(set) var samples = 0
    private(set) var announcements = 0
    private(set) var ends: [Int32] = [-1, -1]
    let interruption = EventDescriptor()
    private(set) var reported = 0

    init(isInertial: Bool) {
        self.isInertial = isInertial
        #expect(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    }

    deinit {
        close(ends[0])
        if ends[1] >= 0 { close(ends[1]) }
    }

    /// The stream that reads this buffer; it keeps the buffer.
    var stream: DirectStream {
        if let made { return made }
        let stream = DirectStream(self, descriptor: ends[0], failed: interruption) { [unowned self] in reported += 1 }
        made = stream
        return stream
    }
    private weak var made: DirectStream?

    func send() { #expect(write(ends[1], "s", 1) == 1) }

    /// The device is unplugged.
    func end() {
        close(ends[1])
        ends[1] = -1
    }

    func readHeld() throws(IIOError) -> Bool {
        willRead()
        attempts += 1
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(ends[0], &bytes, bytes.count)
        if count == 0 { throw .call("reading", code: EPIPE) }
        samples += max(count, 0)
        return count > 0
    }

    func announce() { announcements += 1 }
}

@Suite struct DirectReaderTests {
    private let reader = DirectReader()

    private func isReadable(_ descriptor: Int32, withinMilliseconds milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    @Test("a sample of an inertial sensor makes it readable until it was read")
    func inertial() {
        let imu = PipeBuffer(isInertial: true)
        #expect(!reader.hasInertial)
        reader.add(imu.stream)
        #expect(reader.hasInertial && !isReadable(reader.descriptor))
        imu.send()
        #expect(isReadable(reader.descriptor))
        reader.read()
        #expect(imu.samples == 1 && imu.reported == 1 && imu.announcements == 0)
        #expect(!isReadable(reader.descriptor))
        reader.remove(imu.stream)
        imu.send()
        reader.read()
        #expect(!reader.hasInertial && !isReadable(reader.descriptor) && imu.samples == 1)
    }

    @Test("an aiding sensor without an inertial one does not make it readable, and is read once a sample is due")
    func aiding() {
        let magnetometer = PipeBuffer(isInertial: false)
        reader.add(magnetometer.stream)
        magnetometer.send()
        #expect(!reader.hasInertial && !isReadable(reader.descriptor))
        magnetometer.nextArrival = .max
        reader.read()
        #expect(magnetometer.attempts == 0)
        magnetometer.nextArrival = 0
        reader.read()
        #expect(magnetometer.samples == 1 && reader.progress(of: magnetometer.stream).batches == 1)
        magnetometer.end()
        reader.read()
        #expect(reader.progress(of: magnetometer.stream).failure == .call("reading", code: EPIPE))
        reader.remove(magnetometer.stream)
    }

    @Test("aiding sensors are read before inertial ones, in whatever order they were added")
    func order() {
        let (imu, pressure) = (PipeBuffer(isInertial: true), PipeBuffer(isInertial: false))
        var order: [String] = []
        imu.willRead = { order.append("inertial") }
        pressure.willRead = { order.append("aiding") }
        for buffers in [[imu, pressure], [pressure, imu]] {
            for buffer in buffers { reader.add(buffer.stream) }
            reader.read()
            for buffer in buffers { reader.remove(buffer.stream) }
        }
        #expect(order == ["aiding", "inertial", "aiding", "inertial"])
    }

    @Test(
        "a device that goes wakes its own thread, is not read again, and leaves the others",
        arguments: [true, false])
    func gone(whileWaiting: Bool) {
        let (leaving, staying) = (PipeBuffer(isInertial: true), PipeBuffer(isInertial: true))
        for buffer in [leaving, staying] { reader.add(buffer.stream) }
        if whileWaiting {
            leaving.end()
            #expect(isReadable(reader.descriptor), "the consumer is woken")
        } else {
            leaving.send()
            leaving.willRead = { leaving.end() }
            reader.read()
            leaving.willRead = {}
            #expect(leaving.samples == 1, "what it had sent is used")
        }
        staying.send()
        reader.read()
        #expect(isReadable(leaving.interruption.descriptor) && !isReadable(staying.interruption.descriptor))
        #expect(reader.progress(of: leaving.stream).failure == .call("reading", code: EPIPE))
        let attempts = leaving.attempts
        staying.send()
        reader.read()
        #expect(reader.look(at: leaving.stream).failure != nil)
        #expect(leaving.attempts == attempts && staying.samples == 2)
        reader.remove(leaving.stream)
        #expect(!isReadable(reader.descriptor) && reader.hasInertial)
    }

    @Test("a buffer is not in use any more once it was removed, even if it was just being read")
    func removedWhileRead() {
        let imu = PipeBuffer(isInertial: true)
        let (reading, removing) = (EventDescriptor(), EventDescriptor())
        let order = Mutex<[String]>([])
        imu.willRead = { [self] in
            reading.signal()
            #expect(isReadable(removing.descriptor, withinMilliseconds: 20_000))
            order.withLock { $0.append("read") }
        }
        reader.add(imu.stream)
        imu.send()
        let consumer = WorkerThread(name: "consumer") { [reader] _ in reader.read() }
        #expect(isReadable(reading.descriptor, withinMilliseconds: 20_000))
        removing.signal()
        reader.remove(imu.stream)
        order.withLock { $0.append("removed") }
        #expect(consumer.stop(timeoutSeconds: 20))
        #expect(order.withLock { $0 } == ["read", "removed"])
    }

    @Test("a look reads what the consumer has left, and wakes it for inertial samples, which it would not notice")
    func looks() {
        let (imu, pressure) = (PipeBuffer(isInertial: true), PipeBuffer(isInertial: false))
        for buffer in [imu, pressure] {
            reader.add(buffer.stream)
            buffer.send()
            #expect(reader.look(at: buffer.stream).batches == 1)
            #expect(buffer.samples == 1 && buffer.reported == 1)
            #expect(buffer.announcements == (buffer.isInertial ? 1 : 0))
            #expect(reader.look(at: buffer.stream).batches == 1, "the device is silent")
            #expect(buffer.announcements == (buffer.isInertial ? 1 : 0))
            buffer.end()
            #expect(reader.look(at: buffer.stream).failure == .call("reading", code: EPIPE))
            reader.remove(buffer.stream)
        }
    }
}
