import Geometry
import Model
import Pages
import Scene
import Testing

@Suite("Reports of long recordings")
struct ReportBoundsTests {
    @Test("a long series is thinned evenly and keeps its beginning", arguments: [1, 7, 8, 9, 1000, 12_345])
    func thinned(count: Int) {
        var series = ThinnedSeries<Int>(limit: 8)
        for number in 0..<count { series.append(series.isDue ? number : nil) }
        #expect(series.count == count)
        #expect(series.elements.count <= 8)
        #expect(series.elements.count >= min(count, 4))
        #expect(series.elements == Array(stride(from: 0, to: count, by: series.stride)))
    }

    @Test("of very many corrections the largest stay, numbered as they came, and the page counts the missing ones")
    func corrections() {
        var report = WalkReport(title: "long")
        let count = 9000
        for number in 0..<count { report.add(Self.correction(number, turn: number % 90 == 0 ? 0.5 : 0.001)) }
        #expect(report.corrections.count <= 4000)
        #expect(report.corrections.count + report.correctionsLeftOut == count)
        #expect(Set(report.corrections.map(\.number)).isSuperset(of: stride(from: 1, through: count, by: 90)))
        #expect(report.corrections.map(\.number) == report.corrections.map(\.number).sorted())
        let page = String(decoding: report.page(), as: UTF8.self)
        #expect(page.contains("of which the \(report.correctionsLeftOut) smallest are left out"))
        #expect(page.utf8.count < 4_000_000)
    }

    @Test("a correction that goes on takes its own place, and its number")
    func goingOn() {
        var report = WalkReport(title: "x")
        report.add(Self.correction(0, turn: 0.1))
        report.add(Self.correction(0, turn: 0.2))
        report.add(Self.correction(1, turn: 0.3))
        #expect(report.corrections.map(\.number) == [1, 2])
        #expect(report.corrections.map(\.frame.target.yaw) == [0.2, 0.3])
    }

    private static func correction(_ second: Int, turn: Double) -> FrameCorrection {
        let still = SceneAlignment(yaw: 0, translation: .zero)
        let frame = FrameEstimate(
            generation: 1, origin: nil, published: still, target: SceneAlignment(yaw: turn, translation: .zero),
            slewEnd: nil, before: still)
        return FrameCorrection(frame, at: BootTime(nanoseconds: Int64(second) * 1_000_000_000), wearer: .zero)
    }
}
