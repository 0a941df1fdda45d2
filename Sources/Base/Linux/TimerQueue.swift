/// Identifier of a reactor's timer, with which it is cancelled.
public struct TimerIdentifier: Hashable, Sendable {
    let number: UInt64
}

/// Timers ordered by deadline in a binary heap. Cancelled entries are skipped when they reach the top.
struct TimerQueue {
    private struct Entry {
        var deadline: Int64
        /// Number of the timer, which also breaks ties: of equal deadlines, the timer that was added first fires first.
        var number: UInt64
    }

    private struct Action {
        var interval: Int64?
        var handler: () -> Void
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: Action] = [:]
    private var lastNumber: UInt64 = 0

    mutating func add(deadline: Int64, interval: Int64?, handler: @escaping () -> Void) -> TimerIdentifier {
        lastNumber += 1
        actions[lastNumber] = Action(interval: interval, handler: handler)
        push(Entry(deadline: deadline, number: lastNumber))
        return TimerIdentifier(number: lastNumber)
    }

    mutating func cancel(_ timer: TimerIdentifier) {
        guard actions.removeValue(forKey: timer.number) != nil else { return }
        // This bounds the heap if a timer is cancelled and added again and again.
        if heap.count > 2 * actions.count + 64 { compact() }
        dropCancelled()
    }

    /// Earliest deadline. Unit: ns, monotonic.
    var nextDeadline: Int64? { heap.first?.deadline }

    /// Removes the first timer whose deadline has passed, or reschedules it if it repeats. Returns its handler.
    mutating func takeDue(_ now: Int64) -> (() -> Void)? {
        guard let first = heap.first, first.deadline <= now, let action = actions[first.number] else { return nil }
        if let interval = action.interval {
            let ticks = (now - first.deadline) / interval + 1
            heap[0].deadline += ticks * interval
            siftDown(0)
        } else {
            actions[first.number] = nil
        }
        dropCancelled()
        return action.handler
    }

    /// Restores the invariant that the first entry was not cancelled.
    private mutating func dropCancelled() {
        while let first = heap.first, actions[first.number] == nil { removeFirst() }
    }

    private mutating func compact() {
        heap.removeAll { actions[$0.number] == nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private func comesBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].deadline, heap[left].number) < (heap[right].deadline, heap[right].number)
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0, comesBefore(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && comesBefore(child, least) {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
