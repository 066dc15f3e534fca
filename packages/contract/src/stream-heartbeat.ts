/** A stream of events that has nothing else to send sends a comment after this time, by which a reader knows that it is still there. */
export const streamHeartbeatMs = 15_000
