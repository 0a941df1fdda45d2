import Foundation
import Recording
import Scoring
import TestTools
import Testing

@Suite("Public recordings")
struct PublicRecordingTests {
    private let folder = ScratchFolder()

    private func write(_ lines: [String], _ recording: String, _ table: String) throws {
        let url = URL(filePath: folder.path).appending(path: recording)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url.appending(path: table + ".csv"))
    }

    private func writeRest(_ recording: String) throws {
        let rows = (0...400).map { "\(Double($0) / 50),0,9.81,0,0,0,0" }
        try write(["t_s,ax,ay,az,gx,gy,gz"] + rows, recording, "imu")
    }

    @Test("a board at rest beside marks that move has no distance, and an error of all of it")
    func marks() throws {
        try writeRest("indoor20_rest")
        try write(["t_s,x_m,y_m", "2,0,0", "4,,1", "6,0,10"], "indoor20_rest", "truth")
        let recordings = PublicRecording.all(in: folder.path)
        #expect(recordings.map(\.name) == ["indoor20_rest"])
        let scores = try #require(try recordings[0].scores())
        // A board at rest drifts by millimetres.
        #expect(abs(scores[0].value - 100) < 1 && scores[2].value < 0.01)
    }

    @Test("the attitude of a board at rest is that of its vertical")
    func attitude() throws {
        try writeRest("broad_rest")
        let half = 0.5.squareRoot()
        // The body's y axis is up: rotated about x by 90 degrees.
        let rows = [0, 1].map { "\(2 + $0),\(half),\(half),0,0,\($0)" }
        try write(["t_s,qw,qx,qy,qz,moving"] + rows, "broad_rest", "truth")
        let scores = try #require(try PublicRecording.all(in: folder.path)[0].scores())
        #expect(scores.first { $0.name == "inclination_deg" }?.value ?? 90 < 0.5)
    }

    @Test("folders of other names are left out, and one without truth has no score")
    func without() throws {
        try writeRest("indoor20_blind")
        try writeRest("another")
        let recordings = PublicRecording.all(in: folder.path)
        #expect(recordings.map(\.name) == ["indoor20_blind"])
        #expect(try recordings[0].scores() == nil)
        #expect(PublicRecording.all(in: folder.path + "/missing").isEmpty)
    }

    @Test("a table beside the sensors' has its columns by name, and empty cells are unknown")
    func table() throws {
        try write(["t_s,a,b", "1,2,", ",3,4", "5,6,7"], "x", "truth")
        let table = try #require(try NumberTable("truth", in: folder.path + "/x", columns: ["b", "a", "c"]))
        #expect(table.rows.map(\.time.seconds) == [1, 5])
        #expect(table.rows.map(\.values) == [[nil, 2, nil], [7, 6, nil]])
        #expect(try NumberTable("other", in: folder.path + "/x", columns: ["a"]) == nil)
        try write(["t_s,a", "1,word"], "x", "broken")
        #expect(throws: RecordingError.self) { try NumberTable("broken", in: folder.path + "/x", columns: ["a"]) }
    }
}
