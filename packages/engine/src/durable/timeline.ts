import type { CompiledWorkflow } from '#core/node.ts'
import type { ReplaySource } from './replay.ts'
import { createTimelineWalk, type TimelineEntry } from './timeline-walk.ts'

/**
 * What every task of an execution did so far, in the order of their beginnings.
 * @param ended whether the execution has ended: tasks that have not are then `cancelled`, not `running`.
 */
export function timelineOf(workflow: CompiledWorkflow, source: ReplaySource, ended: boolean): readonly TimelineEntry[] {
  const walk = createTimelineWalk(workflow, source)
  for (const entry of source.entries) walk.deliver(entry)
  if (ended) walk.end()
  return walk.entries
}
