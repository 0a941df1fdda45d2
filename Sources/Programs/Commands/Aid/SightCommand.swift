import Glibc
import Linux
import Model
import Configuration
import WaymarkClient
import WaymarkInterface

/// `waymark sight`: the wearer looks at a known target, which determines the heading.
extension Command {
    private static let moment = Option<SightMoment>(
        "at", value: "TIME",
        help: "Offer one sighting without waiting: now, seconds since boot or, if negative, before now",
        expectation: "now or a time in seconds", read: SightMoment.init)
    private static let accuracy = Option.number(
        "accuracy", value: "DEGREES", in: 0.1...45, help: "Standard deviation of the direction (default: 2)")
    private static let source = OpenSource.option(default: SourceName.wearer.text)

    static let sight = Command(
        "sight", "Show the estimator where north is: look at a place and press Enter.", operands: [Operand("PLACE")],
        options: [moment, accuracy, source],
        notes: """
            PLACE is sun, LAT,LON in degrees, a geo: URI, or a place by its id or name. Look at it so that it is
            straight ahead, keep the head still and press Enter, as often as you like; q and Enter, or Ctrl-D, ends.
            The farther away a place is the better: the accuracy of the position counts as well.
            The exit status is 1 if the last sighting was not used.
            """
    ) { options in
        let client = try Waymark.Client()
        let target = try SightTarget(options.operands[0], by: client)
        let source = try OpenSource(options[source] ?? .wearer, .sighting, on: client)
        let sighting = Sight(target: target, accuracy: options[accuracy] ?? 2, source: source)
        if let moment = options[moment] {
            guard let time = moment.time else { throw Misuse("--at: the time lies before the start of the clock") }
            return try show(try sighting.offer(at: time))
        }
        Terminal.complain(
            "Look at \(Words.line(target.name)) so that it is straight ahead, keep still and press Enter; "
                + "q and Enter, or Ctrl-D, ends.")
        var input = LineInput(STDIN_FILENO)
        var last: ExitCode?
        while let line = try input.next(), line != .text("q") {
            let time = Waymark.Time(nanoseconds: BootClock.nanoseconds)
            do {
                last = try show(sighting.offer(at: time))
            } catch WaymarkError.aid(let failure) {
                Terminal.complain("waymark sight: \(Words.line(WaymarkError.aid(failure).description))")
                last = .failed
            }
            // Otherwise an Enter that was pressed while the program waited would count as a sighting now, although the
            // head has moved since.
            input.discardTyped()
        }
        return last ?? .failed
    }

    private static func show(_ outcome: SightOutcome) throws -> ExitCode {
        try Terminal.print(SightText.line(outcome) + "\n")
        return outcome.isUsed ? .done : .failed
    }
}

/// Time of a sighting as given with `--at`.
struct SightMoment: Sendable {
    /// Past time; nil for now.
    private let past: PastMoment?

    init?(_ text: String) {
        past = text == "now" ? nil : PastMoment(text)
        guard text == "now" || past != nil else { return nil }
    }

    /// Time of the sighting; nil if it is before the start of the clock.
    var time: Waymark.Time? {
        let now = BootClock.nanoseconds
        return past.map { $0.time(.boottime, now: now, 0) } ?? Waymark.Time(nanoseconds: now)
    }
}

struct SightTarget {
    let name: String
    /// Position of the target; nil for the sun.
    let point: AidInterface.Location?

    /// Finds the target that a text names.
    ///
    /// - Throws: `CommandError` if no place or several places have this name.
    init(_ text: String, by client: Waymark.Client) throws {
        guard text != "sun" else {
            (name, point) = ("the sun", nil)
            return
        }
        let place = try NavigationDestination(text, by: client)
        name = place.name
        point = AidInterface.Location(
            latitude: place.position.latitudeDegrees, longitude: place.position.longitudeDegrees)
    }
}

/// Sightings of one target, and their results.
struct Sight {
    let target: SightTarget
    /// Standard deviation of the direction. Unit: degrees.
    let accuracy: Double
    let source: OpenSource

    /// Time limit for the result of a sighting. The estimator applies late measurements, such as a sighting, five times
    /// a second. Unit: ns.
    private static let patience: Int64 = 2_000_000_000
    /// Interval of checks for the result. Unit: microseconds.
    private static let pause: UInt32 = 50_000

    /// Reports that the target is straight ahead at `time`, and waits until the estimator has used or refused this
    /// measurement.
    func offer(at time: Waymark.Time) throws(WaymarkError) -> SightOutcome {
        let (before, heading) = (try source.trust(), try self.heading())
        try source.offer(
            AidInterface.OfferSighting(
                source: source.name.text, time: time, direction: AidInterface.Vector(x: 0, y: 0, z: -1),
                point: target.point, sun: target.point == nil ? true : nil, accuracy: accuracy))
        let end = BootClock.nanoseconds + Self.patience
        while BootClock.nanoseconds < end {
            usleep(Self.pause)
            let now = try source.trust()
            guard now?.applied == before?.applied, now?.refused == before?.refused else {
                let isUsed = now?.applied != before?.applied
                return SightOutcome(
                    verdict: isUsed ? .used : .refused, isSun: target.point == nil, before: heading,
                    after: try self.heading())
            }
        }
        return SightOutcome(
            verdict: .notCompared, isSun: target.point == nil, before: heading, after: try self.heading())
    }

    /// Returns the heading of the newest pose; nil before the first pose.
    private func heading() throws(WaymarkError) -> SightOutcome.Heading? {
        do throws(WaymarkError) {
            let pose = try source.client.pose()
            return SightOutcome.Heading(degrees: pose.heading, accuracy: pose.accuracy.orientationYawAccuracy)
        } catch .pose(.notReady) {
            return nil
        }
    }
}
