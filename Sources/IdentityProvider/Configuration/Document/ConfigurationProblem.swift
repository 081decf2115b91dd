import Primitives

/// One thing that is wrong with a configuration. Values that stand in the file are not repeated.
package struct ConfigurationProblem: Hashable, Sendable {
    package let path: JSONPath
    /// Whether the name of the member is meant, or its value.
    package let part: JSONPlace.Part
    package let message: String
}
