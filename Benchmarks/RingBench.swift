import CPoseRing
import Glibc
import Linux

/// Reads of the pose ring beside another process that writes without pause, and is stopped in the middle now and then.
///
/// Every word of a pose is derived from its number: words of two poses in one are a torn read.
enum RingBench {
    /// Descriptor of the memory in the process that writes.
    private static let descriptor: Int32 = 3
    /// Reads between two stops of the writer, and while it is stopped.
    private static let untilStop = 500_000
    private static let whileStopped = 5_000

    private struct Counts {
        var reads = 0
        var torn = 0
        /// The newest pose could not be read.
        var failed = 0
        /// An old pose was overwritten meanwhile.
        var overtaken = 0
        var stops = 0
    }

    /// Prints what was read, and ends with 1 where a read was torn or the newest pose could not be read.
    static func run(reads: Int) throws {
        let memory = try SharedMemory("waymark-ring-bench", size: Int(waymark_ring_size()), others: .writing)
        let header = memory.address.bindMemory(to: waymark_ring_header.self, capacity: 1)
        waymark_ring_begin(header, [UInt8](repeating: 0, count: 16), 1)
        var ring = waymark_ring()
        precondition(waymark_ring_open(&ring, memory.address, memory.size) == WAYMARK_RING_READABLE)
        let writer = spawn(memory)
        defer {
            kill(writer, SIGKILL)
            waitpid(writer, nil, 0)
        }
        while waymark_ring_newest(&ring) < UInt64(WAYMARK_RING_SLOTS) { usleep(1000) }
        var counts = Counts()
        let begin = Reactor.now
        while counts.reads < reads {
            read(&ring, min(untilStop, reads - counts.reads), &counts)
            kill(writer, SIGSTOP)
            read(&ring, whileStopped, &counts)
            kill(writer, SIGCONT)
            counts.stops += 1
        }
        let nanoseconds = Double(Reactor.now - begin) / Double(counts.reads)
        print(
            """
            {"reads": \(counts.reads), "torn": \(counts.torn), "failed": \(counts.failed), \
            "overtaken": \(counts.overtaken), "stops": \(counts.stops), "written": \(waymark_ring_newest(&ring)), \
            "nanosecondsPerRead": \(nanoseconds), "nanosecondsPerPrediction": \(predictionCost(&ring))}
            """)
        guard counts.torn == 0, counts.failed == 0 else { fatalError("the pose ring was not read whole") }
    }

    /// Every second read is of the oldest poses, which the writer is about to overwrite.
    private static func read(_ ring: inout waymark_ring, _ count: Int, _ counts: inout Counts) {
        var pose = waymark_ring_slot()
        for index in 0..<count {
            var number = waymark_ring_newest(&ring)
            if index % 2 == 0 {
                number = waymark_ring_read_newest(&ring, &pose)
                if number == 0 { counts.failed += 1 }
            } else {
                number -= UInt64(WAYMARK_RING_SLOTS) - 1 - UInt64(index / 2 % 4)
                if !waymark_ring_read(&ring, number, &pose) {
                    counts.overtaken += 1
                    number = 0
                }
            }
            if number > 0, !isWhole(&pose, number) { counts.torn += 1 }
        }
        counts.reads += count
    }

    // MARK: the process that writes

    /// Writes until it is killed.
    static func write() throws {
        let memory = try SharedMemory(
            OwnedDescriptor(descriptor), mapped: .writing, minimumSize: Int(waymark_ring_size()))
        let header = memory.address.assumingMemoryBound(to: waymark_ring_header.self)
        var pose = waymark_ring_slot()
        var number: UInt64 = 0
        while getppid() != 1 || number % 1024 != 0 {
            number += 1
            fill(&pose, number)
            waymark_ring_write(header, &pose, number)
        }
    }

    private static func spawn(_ memory: SharedMemory) -> pid_t {
        var process: pid_t = 0
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, memory.descriptor ?? -1, descriptor)
        var arguments = [strdup("waymark-bench"), strdup("--ring-writer"), nil]
        let error = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ)
        precondition(error == 0, "the writer starts")
        return process
    }

    // MARK: contents

    private static func word(_ number: UInt64, _ index: Int) -> UInt64 {
        (number &+ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
    }

    private static func fill(_ pose: inout waymark_ring_slot, _ number: UInt64) {
        withUnsafeMutableBytes(of: &pose) { bytes in
            let words = bytes.bindMemory(to: UInt64.self)
            for index in 1..<words.count { words[index] = word(number, index) }
        }
    }

    private static func isWhole(_ pose: inout waymark_ring_slot, _ number: UInt64) -> Bool {
        withUnsafeBytes(of: &pose) { bytes in
            let words = bytes.bindMemory(to: UInt64.self)
            var difference = words[0] ^ (2 * number)
            for index in 1..<words.count { difference |= words[index] ^ word(number, index) }
            return difference == 0
        }
    }

    // MARK: prediction

    private static func predictionCost(_ ring: inout waymark_ring) -> Double {
        let count = 1_000_000
        var (pose, result) = (waymark_ring_slot(), waymark_ring_slot())
        pose.orientation = (0, 0, 0, 1)
        pose.turning_rate = (0.5, 1, 0.2)
        let begin = Reactor.now
        var sum = 0.0
        for index in 0..<count {
            _ = waymark_ring_predict(&pose, Int64(10_000_000 + index), &result)
            sum += result.orientation.0
        }
        precondition(sum.isFinite)
        return Double(Reactor.now - begin) / Double(count)
    }
}
