import CSQLite

/// A statement that SQLite has prepared, used again and again by one connection.
struct Statement {
    let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String, on database: OpaquePointer) throws(SQLiteFailure) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw .database(SQLiteProblem(database, code: code)) }
        self.handle = handle
        self.database = database
    }

    /// Parameters are counted from one.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code: Int32 =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(var text):
                    text.withUTF8 { utf8 in
                        utf8.withMemoryRebound(to: CChar.self) {
                            pawl_sqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count))
                        }
                    }
                case .blob(let bytes):
                    bytes.withUnsafeBytes { pawl_sqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) }
                }
            guard code == SQLITE_OK else { throw .database(SQLiteProblem(database, code: code)) }
        }
    }

    /// Whether there is a (further) row.
    func step() throws(SQLiteFailure) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw .database(SQLiteProblem(database, code: code))
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

// MARK: - The row that a statement stands at

extension Statement {
    /// Columns are counted from zero.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
