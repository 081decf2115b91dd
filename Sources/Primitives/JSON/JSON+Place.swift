extension JSON {
    /// Where the value at the path begins in the text that was read, or nil if nothing is there.
    ///
    /// Whoever refuses a configuration by its values finds the line only now that he needs it:
    ///
    ///     let place = JSON.nearestPlace(of: error.path, in: text.span)
    ///     "config.json:\(place): \(error)"            // config.json:12:5: clients[2].grant_types: …
    package static func place(
        of path: JSONPath, in text: Span<UInt8>, part: JSONPlace.Part = .value, limits: JSONLimits = .standard
    ) -> JSONPlace? {
        text.withUnsafeBufferPointer { text in
            var reader = JSONReader(text, limits: limits)
            guard let offset = try? reader.offset(of: path, part) else { return nil }
            return reader.place(at: offset)
        }
    }

    /// The same, or the place of the innermost value on the way that is there: a member that is missing is missing
    /// somewhere.
    package static func nearestPlace(
        of path: JSONPath, in text: Span<UInt8>, part: JSONPlace.Part = .value, limits: JSONLimits = .standard
    ) -> JSONPlace {
        if let place = place(of: path, in: text, part: part, limits: limits) { return place }
        var path = path
        while let parent = path.parent {
            path = parent
            if let place = place(of: path, in: text, limits: limits) { return place }
        }
        return JSONPlace(line: 1, column: 1)
    }

    /// The way to what stands at a fault in a text, such as the second of two members of one name.
    package static func path(
        to error: JSONError, in text: Span<UInt8>, limits: JSONLimits = .standard
    ) -> JSONPath {
        text.withUnsafeBufferPointer { text in
            var reader = JSONReader(text, limits: limits)
            return reader.path(to: error.offset)
        }
    }
}
