import Geometry
import Linux
import Model
import Sensors
import Testing

@Suite("Samples that a program offers in place of IIO devices")
struct OfferedSourceTests {
    private static let start: Int64 = 1_000_000_000_000

    private let queue = MeasurementQueue(capacity: 4096, wake: EventDescriptor())

    private func time(_ milliseconds: Double) -> BootTime {
        BootTime(nanoseconds: Self.start + Int64(milliseconds * 1e6))
    }

    private func source(_ settings: IIOSettings = IIOSettings()) throws -> OfferedSource {
        OfferedSource(name: try #require(SourceName("phone")), settings: settings, queue: queue)
    }

    private func sample(
        _ kind: SensorKind, _ milliseconds: Double, _ value: Vector3 = Vector3(0.1, 0.2, 0.3)
    ) -> SampleBatch.Sample {
        SampleBatch.Sample(kind, time: time(milliseconds), value: value)
    }

    private func drain() -> [Measurement] {
        var all: [Measurement] = []
        while let measurement = queue.pop() { all.append(measurement) }
        return all
    }

    private func report(_ source: OfferedSource, _ kind: SensorKind) -> DeviceReport? {
        source.reports.first { $0.identifier.hasSuffix(kind.rawValue) }
    }

    @Test("samples come in the order of their times, specific force before angular rate, in axes of the body, rounded")
    func order() throws {
        var settings = IIOSettings()
        // Body x is sensor y, body y is sensor z, body z is sensor x.
        settings.mountMatrices[.accelerometer] = try MountMatrix([0, 1, 0, 0, 0, 1, 1, 0, 0])
        settings.signs[.magnetometer] = -1
        let source = try source(settings)
        try source.take(
            SampleBatch([
                sample(.accelerometer, 0, Vector3(1.00000049, 2, 3)), sample(.accelerometer, 10, Vector3(4, 5, 6)),
                sample(.gyroscope, 0), sample(.gyroscope, 7), sample(.magnetometer, 5, Vector3(20, -30, 40)),
                sample(.barometer, 3, Vector3(950.25, 0, 0)),
            ]), at: time(12))
        let rate = Vector3(0.1, 0.2, 0.3)
        #expect(
            drain() == [
                .specificForce(SpecificForceSample(time: time(0), force: Vector3(2, 3, 1))),
                .angularRate(AngularRateSample(time: time(0), rate: rate)),
                .pressure(PressureSample(time: time(3), pressureHectopascal: 950.25)),
                .magneticField(MagneticSample(time: time(5), field: Vector3(-20, 30, -40))),
                .angularRate(AngularRateSample(time: time(7), rate: rate)),
                .specificForce(SpecificForceSample(time: time(10), force: Vector3(5, 6, 4))),
            ])
    }

    @Test(
        "a batch with one wrong value is refused as a whole, and the next one is taken as if it had not been",
        arguments: [
            (SensorKind.accelerometer, Vector3(0, 982, 0)), (.gyroscope, Vector3(.nan, 0, 0)),
            (.gyroscope, Vector3(0, 0, -100.1)), (.magnetometer, Vector3(.infinity, 0, 0)), (.barometer, .zero),
            (.barometer, Vector3(12_000, 0, 0)),
        ])
    func range(kind: SensorKind, value: Vector3) throws {
        let source = try source()
        let good = [sample(.accelerometer, 0), sample(.gyroscope, 0)]
        #expect(throws: OfferedSource.Refusal.outOfRange(kind)) {
            try source.take(SampleBatch(good + [sample(kind, 1, value)]), at: time(2))
        }
        #expect(drain().isEmpty && source.reports.allSatisfy { $0.samples == 0 })
        try source.take(SampleBatch(good), at: time(2))
        #expect(drain().count == 2)
    }

    @Test("samples that are not after the newest of their sensor are refused, within a batch and between two")
    func times() throws {
        let source = try source()
        try source.take(SampleBatch([sample(.gyroscope, 0), sample(.gyroscope, 5)]), at: time(6))
        for late in [0, 4, 5.0] {
            #expect(throws: OfferedSource.Refusal.outOfOrder(newest: time(5))) {
                try source.take(SampleBatch([sample(.gyroscope, late)]), at: time(7))
            }
        }
        #expect(throws: OfferedSource.Refusal.outOfOrder(newest: time(8))) {
            try source.take(SampleBatch([sample(.gyroscope, 8), sample(.gyroscope, 8)]), at: time(9))
        }
        // Another sensor may be later, and the source's program another one.
        source.setOpen(true)
        try source.take(SampleBatch([sample(.accelerometer, 0), sample(.gyroscope, 6)]), at: time(9))
        #expect(drain().count == 4)
        source.setOpen(false)
        #expect(throws: OfferedSource.Refusal.outOfOrder(newest: time(6))) {
            try source.take(SampleBatch([sample(.gyroscope, 6)]), at: time(9))
        }
    }

    /// Offers samples at a rate, with the intervals varied to both sides.
    private func offer(
        _ source: OfferedSource, _ kind: SensorKind, from: Double, count: Int, interval: Double = 5
    ) throws {
        for number in 0..<count {
            let jitter = Double(number % 3 - 1) * 0.3 * interval
            let at = from + Double(number) * interval + jitter
            try source.take(SampleBatch([sample(kind, at)], temperature: 31.5), at: time(at + 1))
        }
    }

    @Test("the rate is learned from the times, and intervals of more than two are gaps")
    func rate() throws {
        let source = try source()
        try offer(source, .gyroscope, from: 0, count: 200)
        var found = try #require(report(source, .gyroscope))
        #expect(abs(try #require(found.grantedRate) - 200) < 10)
        #expect(found.samples == 200 && found.gaps == 0 && found.dropped == 0 && found.requestedRate == nil)
        try offer(source, .gyroscope, from: 1050, count: 2)
        found = try #require(report(source, .gyroscope))
        #expect(found.gaps == 1 && found.lastSample != nil && found.temperature == 31.5)
    }

    @Test("samples that find the queue full are counted as dropped")
    func full() throws {
        let small = MeasurementQueue(capacity: 2, wake: EventDescriptor())
        let source = OfferedSource(
            name: try #require(SourceName("phone")), settings: IIOSettings(), queue: small)
        try source.take(SampleBatch((0..<5).map { sample(.gyroscope, Double($0)) }), at: time(6))
        #expect(report(source, .gyroscope)?.dropped == 3 && small.dropped == 3)
    }

    @Test("before the first sample a sensor is missing by its kind; then the report has the source's name and mount")
    func reports() throws {
        var settings = IIOSettings()
        settings.mountMatrices[.gyroscope] = .identity
        let source = try source(settings)
        source.start()
        #expect(source.reports.map(\.name) == ["accelerometer", "gyroscope", "magnetometer"])
        #expect(source.reports.allSatisfy { $0.state == .searching && $0.channels.isEmpty && $0.detail != nil })
        source.setOpen(true)
        try source.take(SampleBatch([sample(.gyroscope, 0)]), at: time(1))
        let found = try #require(report(source, .gyroscope))
        #expect(
            found.name == "phone gyroscope" && found.identifier == "aid phone gyroscope" && found.state == .streaming)
        #expect(found.sampling == DeviceReport.Sampling(.program) && found.clock == "boottime" && found.detail == nil)
        #expect(found.mountMatrices == [.gyroscope: MountMatrix.identity.elements])
        #expect(found.axes.map(\.origin) == ["configuration"])
        #expect(report(source, .accelerometer)?.name == "accelerometer")
        source.setOpen(false)
        #expect(
            report(source, .gyroscope)?.state == .searching && report(source, .gyroscope)?.name == "phone gyroscope")
    }

    @Test("a sensor without samples for the time of the settings is silent, a slow one after three of its intervals")
    func silence() throws {
        let source = try source()
        source.setOpen(true)
        try offer(source, .gyroscope, from: 0, count: 100)
        let end = 99 * 5.0
        source.observe(at: time(end + 900))
        #expect(report(source, .gyroscope)?.state == .streaming)
        source.observe(at: time(end + 1100))
        #expect(report(source, .gyroscope)?.state == .silent)
        try source.take(SampleBatch([sample(.gyroscope, end + 1200)]), at: time(end + 1201))
        #expect(report(source, .gyroscope)?.state == .streaming)
        try offer(source, .magnetometer, from: 0, count: 20, interval: 800)
        source.observe(at: time(19 * 800 + 2000))
        #expect(report(source, .magnetometer)?.state == .streaming)
        source.observe(at: time(19 * 800 + 3000))
        #expect(report(source, .magnetometer)?.state == .silent)
    }
}
