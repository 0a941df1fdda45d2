import Service
import Testing

@Suite("Watchdog")
struct WatchdogTests {
    @Test("samples without poses are no progress, after some patience")
    func barren() {
        var watchdog = Watchdog()
        let verdicts = (1...6).map { watchdog.isHealthy(inertialSamples: UInt64($0 * 100), poses: 0) }
        #expect(verdicts == [true, true, true, false, false, false])
    }

    @Test("no samples are the sensors' fault, not the filter's")
    func silence() {
        var watchdog = Watchdog()
        let verdicts = (0..<20).map { _ in watchdog.isHealthy(inertialSamples: 50, poses: 50) }
        #expect(!verdicts.contains(false))
    }

    @Test("one pose makes all well again")
    func recovery() {
        var watchdog = Watchdog()
        for count in 1...5 { _ = watchdog.isHealthy(inertialSamples: UInt64(count), poses: 0) }
        let verdict = watchdog.isHealthy(inertialSamples: 6, poses: 1)
        #expect(verdict)
    }
}
