import Geometry
import Linux
import Messages
import Model
import Sensors
import Service
import Testing
import WaymarkInterface

@Suite("Offers of samples, as the sensors' source takes them")
struct SampleOfferTests {
    private static let client: UInt64 = 7
    private static let start: Int64 = 1_000_000_000_000

    private let queue = MeasurementQueue(capacity: 4096, wake: EventDescriptor())
    private let sensors: OfferedSource
    private let name: SourceName

    init() throws {
        name = try #require(SourceName("phone"))
        sensors = OfferedSource(name: name, settings: IIOSettings(), queue: queue)
    }

    private func time(_ milliseconds: Int64) -> BootTime {
        BootTime(nanoseconds: Self.start + milliseconds * 1_000_000)
    }

    private func sources(
        _ kinds: WordSet<AidInterface.AidKind> = [.samples], latency: Double? = nil
    ) throws -> AidSources {
        let request = AidInterface.Open(source: "phone", kinds: kinds, latency: latency)
        var sources = AidSources()
        try sources.open(try AidSourceRecord(request, name: name, client: Self.client, user: 1000, at: time(0)))
        return sources
    }

    private func samples(_ milliseconds: some Sequence<Int64>) -> [AidInterface.AxesSample] {
        milliseconds.map { AidInterface.AxesSample(time: time($0).message, x: 0.1, y: 9.8, z: 0.2) }
    }

    /// Why an offer is refused; nil where it is not.
    private func refusal(
        _ sources: inout AidSources, _ offer: AidInterface.OfferSamples, client: UInt64 = client, at now: BootTime
    ) -> AidInterface.Failure? {
        do throws(AidInterface.Failure) {
            try sources.take(offer, client: client, into: sensors, at: now)
            return nil
        } catch {
            return error
        }
    }

    private func count() -> Int {
        var count = 0
        while queue.pop() != nil { count += 1 }
        return count
    }

    @Test("samples of all sensors are passed on with their times less the latency, and count as one offer")
    func accepted() throws {
        var sources = try sources(latency: 0.01)
        let pressure = AidInterface.PressureSample(time: time(12).message, pressure: 950)
        let offer = AidInterface.OfferSamples(
            source: "phone", accelerometer: samples([0, 10]), gyroscope: samples([0]), magnetometer: samples([5]),
            barometer: [pressure], temperature: 31)
        #expect(refusal(&sources, offer, at: time(12)) == nil)
        #expect(queue.pop()?.time == time(-10))
        #expect(count() == 4)
        let shown = try #require(sources.messages(at: time(12)).first)
        #expect(shown.accepted == 1 && shown.age == 0.01 && shown.refused.isEmpty && shown.kinds == [.samples])
        // The estimator does not check them.
        #expect(shown.trust.isEmpty)
    }

    @Test("what is wrong has a name, is counted by cause, and nothing of it is used")
    func refused() throws {
        var sources = try sources()
        let now = time(0)
        func offer(_ times: some Sequence<Int64>) -> AidInterface.OfferSamples {
            AidInterface.OfferSamples(source: "phone", gyroscope: samples(times))
        }
        #expect(refusal(&sources, offer([0, 51]), at: now) == .timeInFuture(ahead: time(51).seconds(since: now)))
        #expect(
            refusal(&sources, offer([-2600, 0]), at: now)
                == .tooOld(age: now.seconds(since: time(-2600)), maximum: 2.5))
        #expect(refusal(&sources, offer([-10, -10]), at: now) == .outOfOrder(newest: time(-10).message))
        #expect(refusal(&sources, offer([Int64]()), at: now) == .outOfRange(field: "gyroscope"))
        let tooLarge = AidInterface.Failure.batchTooLarge(samples: 256, span: 1)
        #expect(refusal(&sources, offer(-257..<0), at: now) == tooLarge)
        #expect(refusal(&sources, offer([-1002, 0]), at: now) == tooLarge)
        var wrong = offer([0])
        wrong.gyroscope?[0].z = .infinity
        #expect(refusal(&sources, wrong, at: now) == .outOfRange(field: "gyroscope"))
        wrong = offer([0])
        wrong.gyroscope?[0].time.nsec = 1_000_000_000
        #expect(refusal(&sources, wrong, at: now) == .outOfRange(field: "time"))
        wrong = offer([0])
        wrong.temperature = 1000
        #expect(refusal(&sources, wrong, at: now) == .outOfRange(field: "temperature"))
        #expect(refusal(&sources, offer([0]), client: 8, at: now) == .sourceNotOpen(source: "phone"))
        #expect(count() == 0)
        #expect(refusal(&sources, offer(-256..<0), at: now) == nil)
        #expect(count() == 256)
        let shown = try #require(sources.messages(at: now).first)
        #expect(
            shown.refused.map { "\($0.error.split(separator: ".").last ?? "") \($0.number)" } == [
                "OutOfRange 4", "BatchTooLarge 2", "OutOfOrder 1", "TooOld 1", "TimeInFuture 1",
            ])
        #expect(shown.accepted == 1)
    }

    @Test("a source that did not declare samples may not offer them")
    func kind() throws {
        var sources = try sources([.height])
        let offer = AidInterface.OfferSamples(source: "phone", gyroscope: samples([0]))
        #expect(refusal(&sources, offer, at: time(0)) == .kindNotDeclared(kind: OpenWord(.samples)))
        #expect(!sources.offersSamples(name))
    }

    @Test("all sensors may have 2 kHz, at any interval of the calls", arguments: [5, 6, 8, 11, 32] as [Int64])
    func interval(milliseconds: Int64) throws {
        var sources = try sources()
        // Longer than the allowance of a second bridges.
        for call in 1...(5000 / milliseconds) {
            let now = time(call * milliseconds)
            // 8 samples a millisecond.
            let stamps = (0..<(8 * milliseconds)).map { sample in
                let early = (8 * milliseconds - 1 - sample) * 125_000
                return AidInterface.AxesSample(
                    time: AidInterface.Time(nanoseconds: now.nanoseconds - early), x: 0, y: 0, z: 0)
            }
            let offer = AidInterface.OfferSamples(source: "phone", gyroscope: stamps)
            #expect(refusal(&sources, offer, at: now) == nil)
            #expect(count() == stamps.count)
        }
    }

    @Test("calls that are too large or empty are charged as well")
    func oversized() throws {
        var sources = try sources()
        let large = AidInterface.OfferSamples(source: "phone", gyroscope: samples(-257..<0))
        let tooMany = AidInterface.Failure.tooManyOffers(maximum: 250)
        let refusals = (0..<40).map { _ in refusal(&sources, large, at: time(0)) }
        // 6.4 offers each.
        #expect(refusals.count { $0 != tooMany } == 39)
        #expect(refusals.last == tooMany)
        let empty = AidInterface.OfferSamples(source: "phone")
        #expect(refusal(&sources, empty, at: time(0)) == tooMany)
    }

    @Test("40 samples count as one offer: there is room for 10000 a second, and for no flood")
    func rate() throws {
        var sources = try sources()
        func accepted(_ calls: Int64, of number: Int64, from: Int64) -> Int {
            (0..<calls).count { call in
                let first = from + call * number
                let stamps = (first..<(first + number)).map { nanoseconds in
                    AidInterface.AxesSample(
                        time: AidInterface.Time(nanoseconds: Self.start + nanoseconds), x: 0, y: 0, z: 0)
                }
                let offer = AidInterface.OfferSamples(source: "phone", gyroscope: stamps)
                return refusal(&sources, offer, at: time(1)) == nil
            }
        }
        // 240 samples are six offers; of the four that are left, 41 samples take a little more than one.
        #expect(accepted(100, of: 240, from: 0) == 41)
        #expect(accepted(100, of: 41, from: 100_000) == 3)
    }

    @Test("a source offers samples while it is open with them")
    func open() throws {
        var sources = try sources([.samples, .odometry])
        #expect(sources.offersSamples(name))
        sources.closeAll(of: Self.client)
        #expect(!sources.offersSamples(name))
    }
}
