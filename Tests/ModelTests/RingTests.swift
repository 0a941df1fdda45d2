import Model
import Testing

@Suite("A ring of bounded length")
struct RingTests {
    /// Fills 32 bytes of its own, of which it needs 25: what follows it may lie in the rest.
    struct Large: Equatable {
        var values = SIMD4<Double>(1, 2, 3, 4)
        var flag: UInt8 = 5
    }

    struct Holder {
        var large = Large()
        var neighbour = UInt8(7)
        var next = UInt64.max
    }

    @Test("a large element is copied in and out, and nothing beside it")
    func largeElements() {
        var ring = Ring<Large>(capacity: 2)
        var holder = Holder()
        for k in 1...3 {
            holder.large.values.x = Double(k)
            ring.append(copying: &holder.large)
        }
        #expect(ring.count == 2)
        #expect(ring[0].values.x == 2 && ring[1].values.x == 3)
        holder.large = Large(values: .zero, flag: 0)
        ring.copyLast(to: &holder.large)
        #expect(holder.large == Large(values: SIMD4(3, 2, 3, 4), flag: 5))
        #expect(holder.neighbour == 7 && holder.next == .max)
    }

    @Test("a full ring forgets its oldest")
    func forgetsTheOldest() {
        var ring = Ring<Int>(capacity: 3)
        let hasForgotten = (1...4).map { ring.append($0) }
        #expect(hasForgotten == [false, false, false, true])
        #expect((0..<ring.count).map { ring[$0] } == [2, 3, 4])
        ring.removeLast()
        #expect(ring.last == 3 && ring.first == 2)
    }
}
