/// The members of a JSON object in the order they were written, each name once.
///
/// Names are told apart byte by byte (RFC 8259 section 8.3). Two objects with the same members in another order are
/// equal (RFC 8259 section 1: an object is an unordered collection).
///
///     var claims: JSONObject = ["sub": "alice"]
///     claims["email"] = "alice@example.com"
///     for (name, value) in claims { print(name, value.string ?? "") }
public struct JSONObject: Sendable {
    /// Up to here looking through the members beats hashing the name.
    private static let countWithoutIndex = 12

    fileprivate struct Member: Sendable {
        let name: String
        var value: JSON
    }

    private var members: [Member] = []
    // Empty as long as there are few members.
    private var index: [ExactText: Int] = [:]

    /// Without members.
    public init() {}

    init(reservingCapacity capacity: Int) {
        members.reserveCapacity(capacity)
    }

    /// How many members there are.
    public var count: Int { members.count }
    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }
    /// In the order in which the members were written.
    public var names: [String] { members.map(\.name) }

    /// The member of that name. Setting nil removes it; setting one that exists keeps its place.
    public subscript(name: String) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): append(name, value)
            case (nil, nil): break
            }
        }
    }

    /// Adds a member at the end unless there is one of that name; says whether it did.
    public mutating func insert(_ name: String, _ value: JSON) -> Bool {
        guard !contains(name) else { return false }
        append(name, value)
        return true
    }

    /// Whether there is a member of that name, be it `null`.
    public func contains(_ name: String) -> Bool { position(of: name) != nil }

    private func position(of name: String) -> Int? {
        guard index.isEmpty else { return index[ExactText(name)] }
        return members.firstIndex { sameText($0.name, name) }
    }

    /// Adds a member whose name has been found to be new.
    mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
        if !index.isEmpty {
            index[ExactText(name)] = members.count - 1
        } else if members.count > Self.countWithoutIndex {
            rebuildIndex()
        }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        rebuildIndex()
    }

    private mutating func rebuildIndex() {
        index.removeAll(keepingCapacity: true)
        guard members.count > Self.countWithoutIndex else { return }
        for (position, member) in members.enumerated() { index[ExactText(member.name)] = position }
    }
}

extension JSONObject: Sequence {
    /// Goes through the members in their order.
    public struct Iterator: IteratorProtocol {
        private var rest: IndexingIterator<[Member]>

        fileprivate init(_ members: [Member]) {
            rest = members.makeIterator()
        }

        /// The next member; `nil` after the last.
        public mutating func next() -> (name: String, value: JSON)? {
            guard let member = rest.next() else { return nil }
            return (member.name, member.value)
        }
    }

    /// Begins at the member that was written first.
    public func makeIterator() -> Iterator { Iterator(members) }
    /// Exact.
    public var underestimatedCount: Int { members.count }
}

extension JSONObject: Hashable {
    /// Whatever the order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// The same for every order.
    public func hash(into hasher: inout Hasher) {
        // Added up, so that the order does not matter.
        var sum = 0
        for member in members {
            var own = Hasher()
            own.combine(ExactText(member.name))
            own.combine(member.value)
            sum &+= own.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// In the order of the literal. Traps where two members have the same name.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (name, value) in elements {
            let isNew = insert(name, value)
            precondition(isNew, "a literal names the same member twice")
        }
    }
}
