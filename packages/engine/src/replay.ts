// Of the engine, what walks an execution without effects: it reaches no module of Node, so that a browser can prove a run or show its timeline.
export { compileWorkflow } from '#compile/compile-workflow.ts'
export { createMachine, type Machine, type MachineChanges } from '#core/machine.ts'
export type { CompiledWorkflow } from '#core/node.ts'
export type { JournalEntry } from '#durable/ports/journal.ts'
export { settle } from '#durable/replay/interruptible.ts'
export { createReplay, type Replay, replay, type ReplaySource } from '#durable/replay/replay.ts'
export { createTimelineWalk, type TimelineEntry, type TimelineWalk } from '#durable/replay/timeline-walk.ts'
export { type Difference, type VerifiableExecution, type Verdict, verify } from '#durable/replay/verify.ts'
