import Glibc
import Linux
import Configuration
import Recording
import WaymarkClient
import WaymarkInterface

extension Command {
    private static let csv = Option.text(
        "csv", value: "FILE|-", help: "Table of the measurements (default: -, standard input)")
    private static let kind = Option.choice(
        "kind", value: "KIND", of: AidTableKind.allCases.map(\.word.description),
        help: "Kind of measurement (default: by the columns)")
    private static let source = OpenSource.option(default: "camera, wearer or aid, by the kind")
    private static let latency = Option.number(
        "latency", value: "SECONDS", in: 0...1, help: "Time by which the times are late, which is subtracted")
    private static let rebase = Flag(
        "rebase", help: "Begin now: offer each row when its time has come, counted from the first row")

    static let aid = Command(
        "aid", "Offer measurements of a table (CSV) to the estimator, row by row as they come.",
        options: [csv, kind, source, latency, rebase],
        notes: """
            KIND is odometry, position, sighting, range, heading or height.
            The first row names the columns, as the tables of a folder for 'waymark import' do:
              odometry  x_m, y_m, z_m, qw, qx, qy, qz; reset, tracking
              position  lat_deg, lon_deg, hacc_m; alt_m, vacc_m
              sighting  dx, dy, dz, sd_deg; target (landmark, sun), lat_deg, lon_deg, alt_m
              range     lat_deg, lon_deg, alt_m, range_m, sd_m
              heading   heading_deg, sd_deg
              height    alt_m, sd_m
            Those behind the semicolon may be missing or empty. t_s is the time of the measurement in seconds of
            CLOCK_BOOTTIME; where it is empty or missing it is now. Other columns are ignored.

            A row that cannot be used is named with its line and the reason, and the others are offered. The exit
            status is 1 if there was one.
            """
    ) { options in
        let file = try InputFile(options[csv] ?? "-")
        let client = try Waymark.Client()
        var input = LineInput(file.descriptor)
        let chosen = options[kind].flatMap { word in AidTableKind.allCases.first { $0.word.description == word } }
        let rows = try header(of: &input, kind: chosen, file)
        let source = try OpenSource(
            options[source] ?? rows.kind.usualSource, rows.kind.word, latency: options[latency], on: client)
        var transfer = AidTransfer(rows, to: source, isRebased: options[rebase])
        while let line = try input.next() {
            do {
                try transfer.offer(line)
            } catch let problem as AidRows.Problem {
                Terminal.complain("waymark aid: line \(input.number): \(Words.line(problem.description))")
            }
        }
        let trust = try source.trust()
        try Terminal.print(
            ["\(transfer.accepted) \(transfer.accepted == 1 ? "row" : "rows") offered, \(transfer.skipped) skipped"]
                + (transfer.accepted > 0 ? trust.map { [AidText.line($0)] } ?? [] : []))
        return transfer.skipped == 0 ? .done : .failed
    }

    /// Reads the header of the table: the first line that is not empty, which names the columns.
    private static func header(
        of input: inout LineInput, kind: AidTableKind?, _ file: InputFile
    ) throws(CommandError) -> AidRows {
        while let line = try input.next() {
            guard line != .text("") else { continue }
            guard case .text(let text) = line else { break }
            do throws(AidRows.Problem) {
                return try AidRows(header: text, kind: kind)
            } catch {
                throw .failed("\(Words.line(file.path)): line \(input.number): \(error)")
            }
        }
        throw .failed("\(Words.line(file.path)) is no table: it has no row with the names of its columns")
    }
}

extension Command {
    /// `waymark aids`: lists the sources of measurements that other programs offer, and how the estimator uses them.
    static let aids = Command(
        "aids", "List the sources of measurements of other programs: rate, accuracy and trust.", options: [Flag.json],
        notes: """
            'claimed' is the accuracy of the newest offer, 'learned' the accuracy by the other measurements, or of
            odometry the factor by which it is worse than assumed, and 'refused' the share of the offers that the
            estimator has compared and not used.
            """
    ) { options in
        let list = try Waymark.Client().call(AidInterface.List())
        return try options.show(list, as: AidText.lines(list.sources))
    }
}

/// Sends the rows of a table, one after the other.
struct AidTransfer {
    private let rows: AidRows
    private let source: OpenSource
    private let isRebased: Bool
    /// Offset added to the times in the table; nil before the first row, or without `--rebase`. Unit: nanoseconds.
    private var shift: Int64?
    private(set) var accepted = 0
    private(set) var skipped = 0

    init(_ rows: AidRows, to source: OpenSource, isRebased: Bool) {
        self.rows = rows
        self.source = source
        self.isRebased = isRebased
    }

    /// Sends a row; with `--rebase`, first waits until the row is due.
    ///
    /// - Throws: `AidRows.Problem` for an unusable row, after which the transfer can go on; any other error ends the
    ///   transfer.
    mutating func offer(_ line: LineInput.Line) throws {
        do {
            guard let text = try content(of: line) else { return }
            let offer = try rows.offer(text, of: source.name.text, at: try time(of: text))
            do throws(WaymarkError) {
                try source.offer(offer)
            } catch .aid(let failure) {
                throw AidRows.Problem(WaymarkError.aid(failure).description)
            }
            accepted += 1
        } catch let problem as AidRows.Problem {
            skipped += 1
            throw problem
        }
    }

    /// Returns the text of a line; nil for an empty line.
    private func content(of line: LineInput.Line) throws(AidRows.Problem) -> String? {
        switch line {
        case .text(let text): return text.isEmpty ? nil : text
        case .tooLong: throw AidRows.Problem("longer than \(LineInput.maximumLength) bytes")
        case .notUTF8: throw AidRows.Problem("not in UTF-8")
        }
    }

    /// Returns the time of the measurement in a row; with `--rebase`, first waits until the row is due. Unit:
    /// nanoseconds of CLOCK_BOOTTIME.
    private mutating func time(of text: String) throws(AidRows.Problem) -> Int64 {
        let (measured, arrived) = try rows.times(text)
        guard isRebased else { return measured ?? BootClock.nanoseconds }
        guard let measured else { throw AidRows.Problem("t_s is empty") }
        let due = arrived ?? measured
        let shift = shift ?? BootClock.nanoseconds - due
        self.shift = shift
        Self.sleep(until: due + shift)
        return measured + shift
    }

    /// - Parameter time: nanoseconds of CLOCK_BOOTTIME.
    private static func sleep(until time: Int64) {
        var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &end, nil) == EINTR {}
    }
}
