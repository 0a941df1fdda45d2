import JSON

/// Bytes that come in pieces, as from a file or a pipe.
public func pieces(of bytes: [UInt8], size: Int = 4096) -> JSONReader.Refill {
    var place = 0
    return { room in
        let count = min(size, room.count, bytes.count - place)
        room.copyBytes(from: bytes[place..<(place + count)])
        place += count
        return count
    }
}
