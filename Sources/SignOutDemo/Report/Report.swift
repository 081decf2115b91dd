import Primitives

/// What was shown.
struct Report: Sendable {
    let rotation: String
    let without: WithoutReport
    let with: WithReport

    var hasShownBoth: Bool { without.hasShown && with.hasShown }

    var json: JSON {
        ["rotation": .string(rotation), "without": without.json, "with": with.json, "shown": .bool(hasShownBoth)]
    }
}
