import Geometry
import Linux
import Model
import Sensors
import Synchronization
import Testing

@Suite("Source at the pace of the clock")
struct PacedSourceTests {
    /// Inertial samples 10 ms apart on a clock that has nothing to do with this computer's.
    private func supply(_ count: Int) -> PacedSource.Supply {
        let next = Mutex(0)
        return {
            let index = next.withLock { value in
                defer { value += 1 }
                return value
            }
            guard index < count else { return nil }
            let time = BootTime(nanoseconds: 77 + Int64(index) * 10_000_000)
            return .angularRate(AngularRateSample(time: time, rate: .zero))
        }
    }

    private func drain(_ queue: MeasurementQueue) -> [Measurement] {
        var all: [Measurement] = []
        while let measurement = queue.pop() { all.append(measurement) }
        return all
    }

    private func wait(until condition: () -> Bool) -> Bool {
        let deadline = BootClock.nanoseconds + 20_000_000_000
        let nap = StopFlag()
        while BootClock.nanoseconds < deadline {
            if condition() { return true }
            nap.wait(seconds: 0.01)
        }
        return false
    }

    @Test("delivers everything once, stamped on boot time and no earlier than due")
    func pace() {
        let queue = MeasurementQueue(capacity: 64, wake: EventDescriptor())
        let source = PacedSource(name: "test", queue: queue, supply: supply(20))
        let start = BootClock.nanoseconds
        source.start()
        #expect(wait { source.hasEnded })
        let end = BootClock.nanoseconds
        let times = drain(queue).map(\.time.nanoseconds)
        #expect(times.count == 20)
        #expect(times.first! >= start && times.last! <= end + 1_000_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 10_000_000 })
        #expect(source.reports.map(\.name) == ["test inertial unit"])
        #expect(source.reports.first?.samples == 20)
        source.stop()
    }

    @Test("stamps at both ends of time are counted, whatever lies between them")
    func ends() {
        let queue = MeasurementQueue(capacity: 64, wake: EventDescriptor())
        let epochs = Mutex([Int64.max, Int64.min, Int64.max - 1, Int64.min])
        let source = PacedSource(name: "test", queue: queue) {
            epochs.withLock { $0.popLast() }.map { epoch in
                .fix(
                    GNSSFix(
                        epoch: BootTime(nanoseconds: epoch), arrival: BootTime(nanoseconds: 0), utcSeconds: nil,
                        position: GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 0)!,
                        hasHeight: false, velocityENU: .init(east: nil, north: nil, up: nil),
                        positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil))
            }
        }
        source.start()
        #expect(wait { source.hasEnded })
        #expect(source.reports.first?.samples == 4)
        source.stop()
    }

    @Test("ends when it is asked to, in the middle of a wait")
    func stop() {
        let queue = MeasurementQueue(capacity: 8, wake: EventDescriptor())
        let far = Mutex(Int64(0))
        let source = PacedSource(name: "test", queue: queue) {
            far.withLock { time in
                defer { time += 3_600_000_000_000 }
                return .clock(BootTime(nanoseconds: time))
            }
        }
        source.start()
        #expect(wait { queue.pop() != nil })
        source.stop()
        #expect(!source.hasEnded)
    }
}
