extension SessionRecord {
    /// What a server gave, as it goes over what somebody has written since it was asked for: over a mere claim, and over what came
    /// for the same token at an earlier attempt. `nil`: what is there is newer, or belongs to another login.
    package func written(over found: SessionRecord) -> SessionRecord? {
        guard found.epoch == epoch, let theirs = found.credential, var ours = credential,
            let presentation = ours.presentation
        else { return nil }
        let isMereClaim = theirs.generation == presentation.generation
        guard isMereClaim || theirs.presentation.map(presentation.isLater(than:)) == true else { return nil }
        ours.generation = theirs.generation + 1
        var next = found
        next.content = .signedIn(ours)
        next.gone = found.gone(with: ours.cookies)
        // Whoever has claimed it since may bring what is newer still: until then nobody presents what may be dead by that.
        let isClaimedSince = found.rotation.map { $0.leaseEnds != nil && $0.attempts > presentation.attempt } == true
        if !isClaimedSince { next.rotation = nil }
        return next
    }
}

extension Presentation {
    /// Of two of different tokens neither is.
    fileprivate func isLater(than other: Presentation) -> Bool {
        generation == other.generation && attempt > other.attempt
    }
}
