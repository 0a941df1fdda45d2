/// What a search lists, reads and compares at most, so that among a million places it takes some milliseconds. Where
/// these limits hide matches and too few others are near, a search goes beyond them.
package struct SearchLimits: Sendable {
    /// Matches that are listed. A query of one letter has more matches in a whole country. Unlisted places near the
    /// wearer are then considered too.
    package var matchCount = 30_000
    /// Matches that are ranked; if there are more, the nearest ones are ranked.
    package var rankedCount = 800
    /// Matches whose distances are computed. If there are more, the nearest matches are found by a search around the
    /// position.
    package var measuredCount = 3000
    /// Matches of that search that are ranked if each is known to have all words; at least as many as are asked for.
    package var certainCount = 100
    /// Radius of that search. Unit: metres.
    package var reach = 100_000.0
    /// Places that it visits.
    package var visitCount = 20_000
    /// Matches whose distances are computed if too few are near; of more, those of `measuredCount` are.
    package var scatteredCount = 8000
    /// Name matches that are ranked regardless of their distance. The same maximum applies to favourites.
    package var anywhereCount = 500
    /// Pages that are read to list matches near a position, unless there are fewer than `rankedCount` on them.
    package var pageCount = 300
    /// Pages that are read to try a prefix, and to try all of a text.
    package var prefixPageCount = (each: 120, all: 240)
    /// Pages that are added to these for each word of an expression, since each is looked up in all segments of the
    /// index.
    package var lookupPageCount = 40

    package init() {}
}
