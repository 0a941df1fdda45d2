import CAllocations

/// Blocks that this thread has taken from the heap.
enum AllocationCount {
    static var now: UInt64 { waymark_allocations() }
}
