import Configuration
import Documents
import JSON
import Pages
import Persistence
import Model
import Recording
import TestTools

/// Readers of files and texts that people hand to the programs.
let documentParsers = [
    Parser(name: "calibration") { bytes in
        guard let document = try? CalibrationDocument.read(bytes) else { return }
        _ = document.bytes
        for record in document.devices.flatMap(\.sensors).map(\.present) {
            _ = record.calibration(at: BootTime(nanoseconds: 0))
        }
    },
    Parser(name: "directions") { bytes in
        _ = try? RouteDocument.read(bytes, id: "route")
        _ = try? RouteFeature.read(bytes)
    },
    Parser(name: "buildings") { bytes in _ = try? BuildingsDocument.read(bytes) },
    Parser(name: "geo-uri") { bytes in
        guard let uri = try? GeoURI(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        precondition((try? GeoURI(parsing: uri.text)) != nil, "what is written has to be readable")
    },
    Parser(name: "geojson") { bytes in
        var reader = PlaceDocumentReader(source: pieces(of: bytes, size: 61))
        var writer = PlaceDocumentWriter(form: .collection)
        repeat {
            while let place = try? reader.next() { writer.append(place) }
        } while reader.canGoOn && reader.offset < bytes.count
    },
    Parser(name: "gpx") { bytes in _ = try? RouteDocument.read(bytes, format: .gpx, id: "route") },
    Parser(name: "places") { bytes in
        var reader = PlacesReader(source: pieces(of: bytes, size: 61))
        repeat {
            do {
                while try reader.next() != nil {}
                return
            } catch {
                continue
            }
        } while reader.canGoOn
    },
    Parser(name: "plans") { bytes in
        guard let plan = try? PlanDocument.read(bytes, id: "plan") else { return }
        let again = try? PlanDocument.read(PlanDocumentWriter.bytes(of: plan), id: "plan")
        precondition(again == plan, "what is written has to be what was read")
    },
    Parser(name: "pmtiles") { bytes in
        let map = try? PMTiles { offset, count in
            let begin = Int(exactly: offset).map { min($0, bytes.count) } ?? bytes.count
            return Array(bytes[begin...].prefix(count))
        }
        guard let map else { return }
        for (zoom, column, row) in [(0, 0, 0), (1, 1, 1), (2, 0, 1), (14, 1, 2), (22, 4_194_303, 0)] {
            _ = try? map.tile(zoom: zoom, column: column, row: row)
        }
    },
    Parser(name: "polyline") { bytes in
        for precision in [EncodedPolyline.Precision.five, .six] {
            guard let points = try? EncodedPolyline.decode(bytes, precision: precision) else { continue }
            let again = try? EncodedPolyline.decode(
                EncodedPolyline.encode(points, precision: precision), precision: precision)
            precondition(again == points, "what is written has to be what was read")
        }
    },
    Parser(name: "terrain") { bytes in
        guard let tiles = try? TerrainFile.tiles(bytes) else { return }
        precondition(tiles.flatMap(TerrainFile.bytes(of:)) == bytes, "what is written has to be what was read")
    },
    Parser(name: "toml") { bytes in _ = try? Configuration.parse(bytes, file: "fuzz.toml") },
    Parser(name: "warm-start") { bytes in
        guard let start = try? WarmStartMessage.read(bytes) else { return }
        _ = WarmStartMessage.bytes(start)
    },
]
