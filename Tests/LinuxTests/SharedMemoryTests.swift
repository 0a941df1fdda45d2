import Glibc
import Linux
import Testing

@Suite("Shared memory")
struct SharedMemoryTests {
    private func handedOver(_ memory: SharedMemory) throws -> OwnedDescriptor {
        OwnedDescriptor(dup(try #require(memory.descriptor)))
    }

    @Test("what the maker writes, another mapping reads, also once the descriptors are closed")
    func shared() throws {
        let memory = try SharedMemory("test", size: 4096, others: .reading)
        let mapping = try SharedMemory(try handedOver(memory), mapped: .reading, minimumSize: 4096)
        memory.closeDescriptor()
        memory.address.storeBytes(of: 42, as: UInt32.self)
        #expect(mapping.address.load(as: UInt32.self) == 42 && mapping.descriptor == nil && memory.descriptor == nil)
    }

    @Test("memory for reading cannot be mapped for writing, and memory for writing can")
    func access() throws {
        let readable = try SharedMemory("test", size: 4096, others: .reading)
        let writable = try SharedMemory("test", size: 4096, others: .writing)
        let first = try handedOver(readable)
        #expect(throws: SystemError.self) { try SharedMemory(first, mapped: .writing, minimumSize: 1) }
        let mapping = try SharedMemory(try handedOver(writable), mapped: .writing, minimumSize: 1)
        mapping.address.storeBytes(of: 7, as: UInt8.self)
        #expect(writable.address.load(as: UInt8.self) == 7)
    }

    @Test("memory that is too small, or whose size is not sealed, is refused")
    func refused() throws {
        let memory = try SharedMemory("test", size: 4096, others: .reading)
        let small = try handedOver(memory)
        #expect(throws: SystemError.self) { try SharedMemory(small, mapped: .reading, minimumSize: 4097) }
        let file = try File.inMemory("test")
        ftruncate(file.descriptor, 4096)
        let unsealed = OwnedDescriptor(dup(file.descriptor))
        #expect(throws: SystemError.self) { try SharedMemory(unsealed, mapped: .reading, minimumSize: 1) }
    }
}
