/// Finds what somebody who mistyped a name may have meant.
package enum Suggestion {
    /// The nearest candidate, if one is near: one slip in a short name, a third of a long one.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let extended = candidates.filter { word.count >= 3 && $0.hasPrefix(word) }
        if extended.count == 1 { return extended[0] }
        let ranked = candidates.map { (candidate: $0, distance: distance(Array(word), Array($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.candidate.count / 3) ? best.candidate : nil
    }

    /// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for row in 1..<(left.count + 1) {
            var current = [row]
            for column in 1..<(right.count + 1) {
                let replacement = rows[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var best = min(replacement, rows[row - 1][column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
