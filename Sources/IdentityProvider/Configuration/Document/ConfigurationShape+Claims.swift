import OAuth
import Primitives

/// Rules for claims. The language itself is checked where it is read; here is its outer form, and what a schema can say of the
/// rest.
extension ConfigurationShape {
    static let claimRules = list(
        named("claim_rule", also(record(ofClaimRule), ["anyOf": [setsSomething, removesSomething]])),
        count: 0...ClaimRules.maximumRuleCount)

    private static let ofClaimRule: [ConfigurationField] = [
        ConfigurationField(
            "when", map(.claimPath, also(anything, condition), most: ClaimRules.maximumEntryCount),
            "Conditions, all of which must hold: a path, and a text or a list."),
        ConfigurationField(
            "set", map(.claimName, named("claim_value", also(anything, value)), most: ClaimRules.maximumEntryCount),
            "Claims and their values: texts with {paths}, or {\"from\": path}."),
        ConfigurationField(
            "remove", list(text(.claimName), count: 0...ClaimRules.maximumEntryCount), "Claims that are left out."),
        ConfigurationField(
            "in", list(choice(ClaimDestination.allCases.map(\.rawValue)), count: 1...maximumTextCount),
            "Where the rule applies; left out, everywhere."),
    ]

    private static let setsSomething: JSON = ["required": ["set"], "properties": ["set": ["minProperties": 1]]]
    private static let removesSomething: JSON = ["required": ["remove"], "properties": ["remove": ["minItems": 1]]]

    private static let plainValue: JSON = ["type": ["string", "number", "boolean"]]
    private static let listOfPlain: JSON = [
        "type": "array", "items": plainValue, "minItems": 1,
        "maxItems": .number(JSONNumber(Int64(ClaimRules.maximumEntryCount))),
    ]

    /// What stands on the right of a path.
    private static let condition: JSONObject = [
        "anyOf": [
            plainValue, listOfPlain,
            [
                "type": "object", "minProperties": 1, "propertyNames": ["const": "not"],
                "additionalProperties": ["anyOf": [plainValue, listOfPlain]],
            ],
        ]
    ]

    private static let notNull: JSON = ["string", "number", "boolean", "array", "object"]

    /// What a claim is set to: never null, however deep.
    private static let value: JSONObject = [
        "type": notNull, "items": ["$ref": "#/$defs/claim_value"],
        "if": ["type": "object", "required": ["from"]], "then": ["propertyNames": ["enum": ["from", "default"]]],
        "else": [
            "if": ["type": "object", "required": ["value"], "maxProperties": 1],
            "then": ["additionalProperties": ["type": notNull]],
            "else": ["additionalProperties": ["$ref": "#/$defs/claim_value"]],
        ],
    ]
}

extension ConfigurationText {
    /// Those of the protocol are refused where rules are read, which says more of it.
    fileprivate static let claimName = ConfigurationText(
        expectation: "the name of a claim, of 1 to \(ClaimRules.maximumNameByteCount) bytes",
        byteCount: 1...ClaimRules.maximumNameByteCount,
        pattern: "^(?!(\(ClaimRules.protectedClaims.sorted().joined(separator: "|")))$)")

    /// Which it is, is said where rules are read.
    fileprivate static let claimPath = ConfigurationText(
        expectation: "a path", byteCount: 0...maximumByteCount,
        pattern: #"^((user|client)(\.[^.]+){0,7}|tenant|grant|scope|request\.[^.]+)$"#)
}
