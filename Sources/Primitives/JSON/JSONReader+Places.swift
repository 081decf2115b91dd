extension JSONReader {
    /// Walks to the value at the path, reading past what is before it. Throws where the text is no JSON.
    mutating func offset(of path: JSONPath, _ part: JSONPlace.Part) throws(JSONError) -> Int? {
        skipWhiteSpace()
        var offset = position
        for step in path.steps {
            guard position < end else { return nil }
            switch step {
            case .member(let name):
                guard base[position] == UInt8(ascii: "{"), let start = try enterObject(at: name) else { return nil }
                offset = part == .name ? start : position
            case .index(let index):
                guard base[position] == UInt8(ascii: "["), try enterArray(at: index) else { return nil }
                offset = position
            }
        }
        return position < end ? offset : nil
    }

    /// To the value of that member; gives where its name begins.
    private mutating func enterObject(at wanted: String) throws(JSONError) -> Int? {
        try descend()
        guard position < end, base[position] != UInt8(ascii: "}") else { return nil }
        while true {
            let start = position
            guard position < end, base[position] == UInt8(ascii: "\"") else { throw error(.unexpectedByte, at: start) }
            let name = try string()
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            if sameText(name, wanted) { return start }
            guard try skipValue() else { return nil }
        }
    }

    private mutating func enterArray(at wanted: Int) throws(JSONError) -> Bool {
        guard wanted >= 0 else { return false }
        try descend()
        guard position < end, base[position] != UInt8(ascii: "]") else { return false }
        for _ in 0..<wanted {
            guard try skipValue() else { return false }
        }
        return true
    }

    /// Past one value and the comma behind it; false where none is.
    private mutating func skipValue() throws(JSONError) -> Bool {
        _ = try value()
        skipWhiteSpace()
        guard skip(UInt8(ascii: ",")) else { return false }
        skipWhiteSpace()
        return true
    }

    /// The way to the innermost member or element that holds the byte at that offset, as far as the text can be read.
    mutating func path(to offset: Int) -> JSONPath {
        var path = JSONPath.root
        skipWhiteSpace()
        while let step = step(to: offset) {
            path = JSONPath(path.steps + [step])
            if position > offset { break }
        }
        return path
    }

    /// Into the object or array that begins here, to the value that holds the offset, or whose name does.
    private mutating func step(to offset: Int) -> JSONPath.Step? {
        guard position < end, base[position] == UInt8(ascii: "{") || base[position] == UInt8(ascii: "[") else {
            return nil
        }
        let isObject = base[position] == UInt8(ascii: "{")
        guard (try? descend()) != nil else { return nil }
        var index = 0
        while position < end {
            var name = ""
            if isObject {
                guard base[position] == UInt8(ascii: "\""), let found = try? string() else { return nil }
                name = found
                skipWhiteSpace()
                guard skip(UInt8(ascii: ":")) else { return nil }
                skipWhiteSpace()
            }
            var beyond = self
            guard position <= offset, (try? beyond.skipValue()) == true, beyond.position <= offset else {
                return isObject ? .member(name) : .index(index)
            }
            self = beyond
            index += 1
        }
        return nil
    }

    /// How editors count the bytes before that offset.
    func place(at offset: Int) -> JSONPlace {
        var line = 1
        var column = 1
        for index in 0..<offset {
            let byte = base[index]
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return JSONPlace(line: line, column: column)
    }
}
