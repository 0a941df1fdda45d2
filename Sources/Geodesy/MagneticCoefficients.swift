/// Gauss coefficients of a main field and its secular variation, in the order of the harmonic sum.
package struct MagneticCoefficients: Equatable, Sendable {
    /// Epoch of the coefficients as a decimal year.
    package let epoch: Double
    /// Name of the model.
    package let name: String
    /// Maximum degree of the harmonics.
    package let degree: Int
    /// Coefficients g. Unit: nanotesla; m = 0 first, all n of one m together.
    package private(set) var cosine: [Double]
    /// Coefficients h, as `cosine` without m = 0.
    package private(set) var sine: [Double]
    /// Secular variation of g. Unit: nanotesla per year.
    package private(set) var cosineRate: [Double]
    /// Secular variation of h. Unit: nanotesla per year.
    package private(set) var sineRate: [Double]

    /// Coefficients from NOAA's text format: a line of epoch, name and date; lines of n, m, g, h, ġ, ḣ; a line of
    /// nines.
    package init(text: String, degree: Int) throws(Malformed) {
        let lines = text.split(separator: "\n").map { $0.split(whereSeparator: { $0.isWhitespace }) }
        guard let header = lines.first, header.count >= 2, let epoch = Double(header[0]) else {
            throw Malformed(line: 1)
        }
        self.epoch = epoch
        name = String(header[1])
        self.degree = degree
        let count = (degree + 1) * (degree + 2) / 2
        cosine = [Double](repeating: 0, count: count)
        sine = [Double](repeating: 0, count: count - degree - 1)
        cosineRate = cosine
        sineRate = sine

        var read = 0
        for (offset, fields) in lines.enumerated().dropFirst() {
            if fields.count == 1, fields[0].allSatisfy({ $0 == "9" }) { break }
            guard store(fields) else { throw Malformed(line: offset + 1) }
            read += 1
        }
        // Every n from 1 to the degree, every m from 0 to n.
        guard read == count - 1 else { throw Malformed(line: lines.count) }
    }

    private mutating func store(_ fields: [Substring]) -> Bool {
        guard fields.count == 6, let n = Int(fields[0]), let m = Int(fields[1]), (1...degree).contains(n),
            (0...n).contains(m)
        else { return false }
        let values = fields[2...].compactMap { Double($0) }
        guard values.count == 4 else { return false }
        let index = m * degree - m * (m - 1) / 2 + n
        cosine[index] = values[0]
        cosineRate[index] = values[2]
        if m > 0 {
            sine[index - degree - 1] = values[1]
            sineRate[index - degree - 1] = values[3]
        }
        return true
    }

    /// Error for a text that is not a table of coefficients of this degree.
    package struct Malformed: Error, CustomStringConvertible, Equatable {
        /// Number of the first wrong or missing line, from 1.
        package let line: Int

        /// Error at a line.
        package init(line: Int) { self.line = line }

        /// Text of the error with its remedy.
        package var description: String {
            "magnetic coefficients: line \(line) is wrong or missing; take the file anew from its publisher"
        }
    }
}
