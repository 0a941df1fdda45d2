import Testing
import Messages

@Suite("Sentences")
struct SentenceTests {
    static let texts = [
        "destination": "Café Rose", "instruction": "Go on", "start": "This is the start", "turn": "This is the turn",
        "plan": "Main Station", "level": "2",
    ]

    @Test(
        "every message is a sentence in every language, with all placeholders filled in", arguments: Language.allCases)
    func complete(language: Language) {
        for message in Message.allCases {
            let text = Sentence(message, metres: 40, Self.texts)?.with(degrees: 17).text(in: language) ?? ""
            #expect(!text.isEmpty && !text.contains("  ") && !text.hasSuffix(" ") && !text.hasSuffix("."), "\(message)")
            // Messages of distances have their numbers filled in as a part of others.
            if !Self.distances.contains(message) { #expect(!text.contains("{") && !text.contains("}"), "\(message)") }
        }
    }

    static let distances: Set<Message> = [
        .metresAhead, .kilometresAhead, .tenthsAhead, .metresAway, .kilometresAway, .tenthsAway, .metres, .kilometres,
        .tenths, .metresShown, .kilometresShown, .tenthsShown, .degrees,
    ]

    /// What is said of the distance between other words.
    func spoken(_ metres: Double, _ language: Language, _ message: Message = .startUnnamedDistance) -> String? {
        Sentence(message, metres: metres)?.text(in: language).split(separator: ", ", maxSplits: 1).last.map(String.init)
    }

    @Test("a distance has the plural form and the decimal sign of its language")
    func plurals() {
        #expect(
            [5, 1000, 1200, 2000].map { spoken($0, .german) } == [
                "5 Meter", "1 Kilometer", "1,2 Kilometer", "2 Kilometer",
            ])
        #expect(
            [1000, 1200, 2000, 2300].map { spoken($0, .french) } == [
                "1 kilomètre", "1,2 kilomètre", "2 kilomètres", "2,3 kilomètres",
            ])
        #expect([40, 1000, 1200].map { spoken($0, .spanish) } == ["40 metros", "1 kilómetro", "1,2 kilómetros"])
        #expect([1000, 1200].map { spoken($0, .english) } == ["1 kilometre", "1.2 kilometres"])
        let kilometres = [1, 2, 5, 11, 12, 14, 21, 22, 25, 101, 111, 112, 121].map { $0 * 1000.0 }
        #expect(
            kilometres.map { spoken($0, .russian) } == [
                "1 километр", "2 километра", "5 километров", "11 километров", "12 километров", "14 километров",
                "21 километр", "22 километра", "25 километров", "101 километр", "111 километров", "112 километров",
                "121 километр",
            ])
        #expect(
            [1000, 1200, 3000, 5000, 21_000].map { spoken($0, .ukrainian) } == [
                "1 кілометр", "1,2 кілометра", "3 кілометри", "5 кілометрів", "21 кілометр",
            ])
    }

    @Test("a distance has the case that its sentence asks for")
    func cases() {
        func text(_ message: Message, _ metres: Double, _ language: Language) -> String? {
            Sentence(message, metres: metres, ["destination": "«A»"])?.text(in: language)
        }
        #expect(text(.turnLeftAhead, 40, .russian) == "Через 40 метров поверните налево")
        #expect(text(.destinationDistance, 40, .russian) == "«A» в 40 метрах")
        #expect(text(.destinationDistance, 1000, .russian) == "«A» в 1 километре")
        #expect(text(.destinationDistance, 40, .ukrainian) == "«A» за 40 метрів")
        #expect(text(.turnLeftAhead, 40, .german) == "In 40 Metern links abbiegen")
        #expect(text(.resumedDistance, 40, .german) == "Route zum Ziel «A», noch 40 Meter")
    }

    @Test("an angle is rounded to whole degrees, and has the plural form of its language")
    func angles() {
        func text(_ degrees: Double, _ language: Language) -> String {
            Sentence(.contentTurnedLeft).with(degrees: degrees).text(in: language)
        }
        #expect(text(-17.4, .english) == "Content was turned by 17 degrees to the left")
        #expect(text(1.2, .english) == "Content was turned by 1 degree to the left")
        #expect(text(17, .german) == "Die Einblendungen wurden um 17 Grad nach links gedreht")
        #expect(text(22, .russian) == "Изображение повёрнуто на 22 градуса влево")
        #expect(text(270, .ukrainian) == "Зображення повернуто на 270 градусів ліворуч")
        #expect(text(1e300, .english).contains("1000000 degrees"))
    }

    @Test("braces in a name mean nothing")
    func braces() {
        let name = "{distance} {x} }{"
        #expect(Sentence(.arrived, ["destination": name]).text(in: .english) == "You have arrived at \(name)")
    }

    @Test("a distance that is not finite makes no sentence", arguments: [Double.nan, .infinity])
    func infinite(metres: Double) {
        #expect(Sentence(.turnLeftAhead, metres: metres) == nil)
    }
}
