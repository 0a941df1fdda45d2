import Commands
import Testing
import WaymarkClient

@Suite("Noise as a table")
struct NoiseTextTests {
    @Test("each axis has a row in the units of data sheets, with what is not known left open")
    func table() throws {
        let noise: [Waymark.AxisNoise] = try Samples.decode(
            """
            [{"axis":"gx","unit":"rad/s","randomWalk":0.000131,"randomWalkDeviation":0.00000131,
            "curve":[{"tau":0.9,"deviation":1,"uncertainty":0.1},{"tau":1.01,"deviation":0.0001309,"uncertainty":0.02}]},
            {"axis":"ay","unit":"m/s²","randomWalk":0.003,"biasInstability":0.0005,"biasInstabilityDeviation":0.0001,
            "rateRandomWalk":0.00001,"curve":[{"tau":1.2,"deviation":0.003,"uncertainty":0.1}]},
            {"axis":"az","unit":"1","biasInstability":3.5,"curve":[]}]
            """)
        // 0.000131 rad/√s · 57.3°/rad · √3600 s/h, and so on.
        #expect(
            NoiseText.lines(noise) == [
                "axis  random walk        bias instability  rate random walk  at 1 s",
                "gx    0.450 °/√h ±1.0 %  -                 -                 27.0 °/h",
                "ay    306 µg/√Hz         51.0 µg ±20 %     61.2 µg/√h        -",
                "az    -                  3.50              -                 -",
            ])
        #expect(NoiseText.lines([]).count == 1)
    }
}
