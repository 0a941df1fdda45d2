import Commands
import Testing
import WaymarkInterface

@Suite("Sources of other programs, in words")
struct AidTextTests {
    @Test("the table has a row for each kind, and below it the offers that were not taken")
    func table() throws {
        #expect(AidText.lines([]) == ["No source is open."])
        let list: AidInterface.List.Reply = try Samples.decode(
            #"""
            {"sources":[{"source":"tag","user":1000,"kinds":["position","heading"],"state":"refused","rate":1.04,
            "age":0.25,"accepted":9,"refused":[{"error":"org.waymark.Aid.TooOld","number":3}],"trust":[
            {"kind":"position","state":"refused","cause":"contradictsEstimate","accuracy":1,"accuracyScale":2.25,
            "applied":2,"refused":6},
            {"kind":"heading","state":"watched","cause":"new","applied":0,"refused":0}]},
            {"source":"camera","user":0,"kinds":["odometry"],"state":"waiting","rate":0,"accepted":0,"refused":[],
            "trust":[{"kind":"odometry","state":"trusted","accuracyScale":1.3,"applied":8,"refused":0}]}]}
            """#)
        #expect(
            AidText.lines(list.sources) == [
                "source  kind        rate    age  claimed  learned  refused  trust    why",
                "tag     position  1.0 Hz  0.3 s    1.0 m    2.3 m     75 %  refused  contradicts the other measurements",
                "        heading                        -        -        -  watched  too few offers were compared",
                "camera  odometry  0.0 Hz      -        -     ×1.3      0 %  trusted",
                "tag: not taken: TooOld 3",
            ])
    }

    @Test("a source of samples, which nothing checks, has a row as well")
    func samples() throws {
        let list: AidInterface.List.Reply = try Samples.decode(
            #"""
            {"sources":[{"source":"phone","user":0,"kinds":["samples"],"state":"used","rate":50,"age":0.1,"accepted":9,
            "refused":[],"trust":[]}]}
            """#)
        #expect(
            AidText.lines(list.sources) == [
                "source  kind        rate    age  claimed  learned  refused  trust  why",
                "phone   samples  50.0 Hz  0.1 s        -        -        -  used",
            ])
    }
}
