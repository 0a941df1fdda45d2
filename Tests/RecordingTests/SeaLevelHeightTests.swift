import Geometry
import Model
import Recording
import Testing

@Suite("Heights of recorded fixes")
struct SeaLevelHeightTests {
    private func fix(_ members: String, _ geoid: inout ReceiverGeoid) throws -> GNSSFix {
        let text =
            #"{"epoch":{"sec":1,"nsec":0},"arrival":{"sec":1,"nsec":0},"latitude":47.25,"longitude":8.5,\#(members)}"#
        guard case .fix(let fix) = try scanned(.fix, Array(text.utf8), geoid: &geoid).get() else {
            throw RecordingError.notARecording(path: "", reason: "no fix")
        }
        return fix
    }

    @Test("behaviour 18: one above the sea becomes ellipsoidal by the separation reported last, before any by EGM96")
    func seaLevel() throws {
        var geoid = ReceiverGeoid()
        let sea = #""height":400,"heightKind":"meanSeaLevel""#
        let alone = try fix(sea, &geoid)
        // EGM96 is 47.82 m high there.
        #expect(alone.hasHeight && abs(alone.position.ellipsoidalHeight - 447.82) < 1e-6)
        #expect(try fix(sea + #","geoidSeparation":46.5"#, &geoid).position.ellipsoidalHeight == 446.5)
        #expect(try fix(sea, &geoid).position.ellipsoidalHeight == 446.5)
    }

    @Test("others stay as they are, and a word that is none is refused")
    func others() throws {
        var geoid = ReceiverGeoid()
        let ellipsoidal = try fix(#""height":450,"heightKind":"ellipsoidal""#, &geoid)
        #expect(ellipsoidal.hasHeight && ellipsoidal.position.ellipsoidalHeight == 450)
        #expect(!(try fix(#""height":0,"heightKind":"unknown""#, &geoid)).hasHeight)
        #expect(throws: JSONScanner.Problem.self) { try fix(#""height":0,"heightKind":"sea""#, &geoid) }
    }
}
