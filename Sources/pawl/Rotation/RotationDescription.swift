import IdentityProvider
import Primitives

/// A policy for people and for programs.
enum RotationDescription {
    static func json(of policy: RotationPolicy, in profile: RotationProfile) -> JSONObject {
        var knobs = JSONObject()
        for knob in RotationKnob.all { knobs[knob.name] = .string(knob.write(policy)) }
        return [
            "policy": .string(policy.text), "profile": .string(profile.name), "summary": .string(profile.summary),
            "knobs": .object(knobs), "turned": .array(policy.turnedKnobs.map { .string($0.name) }),
            "sources": .array(
                profile.sources.map {
                    ["knobs": .array($0.knobs.map { .string($0) }), "source": .string($0.text)]
                }),
        ]
    }

    static func text(of policy: RotationPolicy, in profile: RotationProfile) -> String {
        let turned = Set(policy.turnedKnobs.map(\.name))
        let rows = RotationKnob.all.map { knob in
            [turned.contains(knob.name) ? "*" : " ", knob.name, knob.write(policy), knob.help]
        }
        let sources = profile.sources.map { ["  " + $0.knobs.joined(separator: ", "), $0.text] }
        return "\(policy.text): \(profile.summary)\n\n" + TextTable(rows).text
            + (turned.isEmpty ? "" : "\n* other than \(profile.name)\n") + "\nSources\n" + TextTable(sources).text
    }
}
