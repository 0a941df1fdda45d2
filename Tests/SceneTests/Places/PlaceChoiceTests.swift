import Geometry
import Scene
import Testing

@Suite("Which place is meant")
struct PlaceChoiceTests {
    private func place(_ number: Int, _ name: String, favorite: Bool = false) -> Place {
        Place(
            id: "node/\(number)", name: name, kind: "cafe",
            position: GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 0)!,
            isFavorite: favorite)
    }

    private var places: [Place] {
        [
            place(1, "Twin"), place(2, "Twin"), place(3, "Triplet"), place(4, "Triplet", favorite: true),
            place(5, "Triplet"), place(7, "Inn"), place(8, "Inn of the Hut", favorite: true),
        ]
    }

    /// What a search finds: the places whose names or identifiers hold the text.
    private func choice(_ text: String) -> PlaceChoice<Place> {
        PlaceChoice(
            text, among: places.filter { $0.id == text || $0.name.lowercased().contains(text.lowercased()) })
    }

    @Test("behaviour 52: the identifier counts, then the whole name, then the only place that fits, then a favourite")
    func one() {
        for (text, number) in [("node/2", 2), ("inn", 7), ("of the", 8), ("triplet", 4), ("Trip", 4)] {
            guard case .one(let place) = choice(text) else {
                Issue.record("'\(text)' names no single place")
                continue
            }
            #expect(place.id == "node/\(number)", "\(text)")
        }
    }

    @Test("behaviour 52: a name that several places have is not guessed at, nor one of several favourites")
    func several() {
        #expect(choice("twin") == .several([places[0], places[1]]))
        let favorites = [place(1, "Hut", favorite: true), place(2, "Hut", favorite: true), place(3, "Hut")]
        #expect(PlaceChoice("hut", among: favorites) == .several(favorites))
    }

    @Test("behaviour 52: what is found by its name comes before a favourite that is found otherwise")
    func byName() {
        let other = place(1, "Gasthaus", favorite: true)
        let mill = place(2, "Alte Mühle")
        #expect(PlaceChoice("muhle", among: [other, mill]) == .one(mill))
        #expect(PlaceChoice("mu al", among: [other, mill]) == .one(mill))
        let mills = [mill, place(3, "Mühlenhof"), other]
        #expect(PlaceChoice("muh", among: mills) == .several(Array(mills.dropLast())))
        #expect(PlaceChoice("mill", among: [other]) == .one(other))
        let others = [other, place(4, "Krone")]
        #expect(PlaceChoice("inn", among: others) == .several(others))
    }

    @Test("behaviour 52: a whole name is one without regard to case, accents and how they are encoded")
    func accents() {
        let mills = [place(1, "Mühle"), place(2, "Mühle am Bach", favorite: true)]
        for text in ["Muhle", "MÜHLE", "mu\u{308}hle", "mühle!"] {
            #expect(PlaceChoice(text, among: mills) == .one(mills[0]), "\(text)")
        }
    }

    @Test("Nothing found is nothing meant")
    func none() {
        #expect(choice("nowhere") == .none)
    }
}
