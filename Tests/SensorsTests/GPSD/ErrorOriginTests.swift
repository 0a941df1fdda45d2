import Sensors
import Testing

@Suite("Origin of gpsd's errors")
struct ErrorOriginTests {
    private func origins(_ errors: [Double?], _ solution: GPSDReport.Solution = .plain) -> [Bool] {
        var origin = ErrorOrigin()
        return errors.map {
            var fix = GPSDReport.FixReport()
            fix.solution = solution
            fix.horizontalError = $0
            return origin.isEstimated(fix)
        }
    }

    @Test("a dilution times gpsd's constant is its estimate, from the second or third epoch on")
    func estimated() {
        // As gpsd writes HDOP 0.7, 1.24 and 99.99.
        for solution in [.plain, .rtkFixed, .rtkFloat] as [GPSDReport.Solution] {
            #expect(origins([13.3, 23.56, 1899.81, 13.3], solution) == [false, true, true, true])
        }
        // HDOP 0.9, 0.87 and 1.36, of which it rounds the second.
        #expect(origins([4.275, 4.133, 6.46], .differential) == [false, false, true])
        // A fix without an error says nothing.
        #expect(origins([13.3, nil, 13.3, 13.3]) == [false, false, true, true])
    }

    @Test("a receiver's own error is none, even where one is such a multiple by chance")
    func own() {
        // Of a ZED-F9P, a Javad and a Garmin, all by binary protocols.
        #expect(origins([14.36, 14.441, 14.446, 15.052]).contains(true) == false)
        #expect(origins([0.449, 0.455, 26.268, 10.433, 5.13, 5.128, 5.131]).contains(true) == false)
        #expect(origins([0.981, 0.986, 0.997, 1.148], .differential).contains(true) == false)
    }
}
