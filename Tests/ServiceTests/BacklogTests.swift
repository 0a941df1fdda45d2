import Model
import Service
import Testing

@Suite struct BacklogTests {
    private func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("without a backlog no pose is outdated, however old")
    func none() {
        #expect(!Backlog(newest: nil).outdates(time(0)))
    }

    @Test("poses of a batch at any rate, and of late sensors, are not outdated by the rest of it")
    func batches() {
        for rate in [25.0, 50, 100, 200, 1000] {
            let batch = max(2, 0.06 * rate)
            for sample in 0..<Int(batch) {
                #expect(!Backlog(newest: time(1000 + batch / rate)).outdates(time(1000 + Double(sample) / rate)))
            }
        }
    }

    @Test("after a stall the poses of the last tenth of a second are sent, those before are not")
    func stall() {
        let backlog = Backlog(newest: time(100))
        let sent = (0..<1200).filter { !backlog.outdates(time(94 + Double($0) / 200 + 0.001)) }
        #expect(sent.first == 1180)
        #expect(sent.count == 20)
    }
}
