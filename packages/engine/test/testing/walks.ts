import type { Json, JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import { carryOver as carryOverInTurns } from '#durable/replay/carry-over.ts'
import { inheritedKeys as inheritedKeysInTurns } from '#durable/replay/inherited-keys.ts'
import { walkThrough } from '#durable/replay/interruptible.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { createReplay as createReplayInTurns, replay as replayInTurns, type ReplaySource } from '#durable/replay/replay.ts'
import { createTimelineWalk as createTimelineWalkInTurns, type TimelineSource } from '#durable/replay/timeline-walk.ts'
import { verify as verifyInTurns } from '#durable/replay/verify.ts'

/** Walks over journals without pauses, for tests. */

export function replay(workflow: CompiledWorkflow, source: ReplaySource, secrets: JsonObject, runtime: JsonObject, observer?: Observer) {
  return walkThrough(replayInTurns(workflow, source, { secrets, runtime, observer }))
}

export function createReplay(
  workflow: CompiledWorkflow,
  source: { readonly id: string; readonly input: Json; readonly startedAtMs: number },
  secrets: JsonObject,
  runtime: JsonObject,
  observer?: Observer,
) {
  const walk = createReplayInTurns(workflow, source, { secrets, runtime, observer })
  walkThrough(walk.begin())
  return {
    machine: walk.machine,
    deliver: (entry: JournalEntry) => walkThrough(walk.deliver(entry)),
    proceed: (pausesMax: number) => walkThrough(walk.proceed(pausesMax)),
    result: () => walk.result(),
  }
}

export function carryOver(ended: Parameters<typeof carryOverInTurns>[0], retry: Parameters<typeof carryOverInTurns>[1]) {
  return walkThrough(carryOverInTurns(ended, retry))
}

export function verify(record: Parameters<typeof verifyInTurns>[0]) {
  return walkThrough(verifyInTurns(record))
}

export function timelineOf(workflow: CompiledWorkflow, source: ReplaySource & TimelineSource, ended: boolean) {
  const walk = createTimelineWalk(workflow, source)
  walk.noteFailures(source.entries)
  for (const entry of source.entries) walk.deliver(entry)
  if (ended) walk.end()
  return walk.entries
}

export function createTimelineWalk(...options: Parameters<typeof createTimelineWalkInTurns>) {
  const walk = createTimelineWalkInTurns(...options)
  return {
    entries: walk.entries,
    noteFailures: (entries: readonly JournalEntry[]) => walk.noteFailures(entries),
    first: walkThrough(walk.begin()),
    deliver: (entry: JournalEntry) => walkThrough(walk.deliver(entry)),
    end: () => walkThrough(walk.end()),
  }
}

export function inheritedKeys(...options: Parameters<typeof inheritedKeysInTurns>) {
  return walkThrough(inheritedKeysInTurns(...options))
}
