/// Something that a demonstration cannot do without went wrong.
struct StageFright: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
