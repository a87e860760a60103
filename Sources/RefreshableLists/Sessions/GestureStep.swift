import ListProtocol
import Pulling

/// What follows from one event of a person's finger, once their `Pull` has judged it.
struct GestureStep: Sendable {
    /// What becomes of the gesture's wish for a run.
    enum Request: Hashable, Sendable {
        /// The list is asked for a run, under the gesture's own key: however often that is sent, one run comes of it.
        case ask(gesture: Int)
        /// The list is asked what it answered this gesture before.
        case recall(gesture: Int)
        /// This is its answer: there is no run, or it was given before.
        case answer(RunReference)
    }

    /// Nil where the event neither asks nor has to be answered.
    var request: Request?
    /// What the puller alone is told; nil where that is as it was.
    var state: Pull.PrivateState?
}
