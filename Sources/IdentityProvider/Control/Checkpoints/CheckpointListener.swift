/// Is asked at every checkpoint, and may take its time: for whoever decides what happens when.
package protocol CheckpointListener: Sendable {
    func reached(_ checkpoint: Checkpoint, by passage: Passage) async
}
