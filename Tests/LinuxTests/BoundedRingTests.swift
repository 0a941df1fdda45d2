import Glibc
import Linux
import Testing

@Suite("A bounded ring")
struct BoundedRingTests {
    @Test("elements come out in their order, over many turns of the memory")
    func order() {
        var ring = BoundedRing<Int>(capacity: 5)
        var (next, expected) = (0, 0)
        for round in 0..<100 {
            for _ in 0..<(round % 6) where ring.append(next) { next += 1 }
            for _ in 0..<(round * 7 % 5) {
                guard let oldest = ring.popFirst() else { break }
                #expect(oldest == expected)
                expected += 1
            }
            #expect(ring.count == next - expected)
        }
    }

    @Test("a full one refuses an element, and takes it once there is room")
    func full() {
        var ring = BoundedRing<Int>(capacity: 2)
        let areTaken = [ring.append(1), ring.append(2), ring.append(3)]
        #expect(areTaken == [true, true, false])
        #expect(ring.popFirst() == 1)
        let isTaken = ring.append(4)
        #expect(isTaken)
        #expect(ring.popFirst() == 2)
        #expect(ring.popFirst() == 4)
        #expect(ring.popFirst() == nil)
        #expect(ring.count == 0 && ring.capacity == 2)
    }

    @Test("what is taken out, and what is left at the end, is released")
    func releases() {
        final class Counted {}
        weak var first: Counted?
        weak var second: Counted?
        do {
            var ring = BoundedRing<Counted>(capacity: 3)
            do {
                let (one, two) = (Counted(), Counted())
                (first, second) = (one, two)
                _ = ring.append(one)
                _ = ring.append(two)
            }
            _ = ring.popFirst()
            #expect(first == nil && second != nil)
            _ = consume ring
        }
        #expect(second == nil)
    }

    @Test("one that is emptied often uses the memory of a few elements")
    func touchesLittle() throws {
        // Large enough for malloc to map it: its pages are there only once they are written.
        let element = InlineArray<64, UInt64>(repeating: 1)
        var ring = BoundedRing<InlineArray<64, UInt64>>(capacity: 200_000)
        let before = try residentBytes()
        for _ in 0..<400_000 {
            _ = ring.append(element)
            _ = ring.append(element)
            _ = ring.popFirst()
            _ = ring.popFirst()
        }
        let after = try residentBytes()
        // All of it are 100 MB; other tests run beside this one.
        #expect(after - before < 50_000_000)
    }

    private func residentBytes() throws -> Int {
        let file = try #require(fopen("/proc/self/statm", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        try #require(fgets(&line, 128, file) != nil)
        let words = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.split(separator: " ")
        return try #require(Int(words[1])) * 4096
    }
}
