import { Proof } from '#src/run/proof.tsx'
import { StepPanel } from '#src/run/step-panel.tsx'
import type { TaskState } from '#src/run/task-states.ts'
import { Timeline } from '#src/run/timeline.tsx'
import type { RunDetail, TimelineEntry } from '#src/run/use-run.ts'
import { Whole } from '#src/run/whole.tsx'

/** Kinds of tasks that wait for people, events or time. */
const waitingKinds = new Set(['approve', 'listen', 'wait'])

interface RunCaseProps {
  readonly run: RunDetail
  readonly entries: readonly TimelineEntry[]
  readonly selected: string | undefined
  readonly task: TaskState | undefined
  readonly kindOf: (reference: string) => string
  readonly onSelect: (reference: string) => void
}

/** Beside the flow: the chosen step or the whole run, the timeline, and the proof. */
export function RunCase({ run, entries, selected, task, kindOf, onSelect }: RunCaseProps) {
  return (
    <div className="case">
      {task === undefined ? <Whole run={run} /> : <StepPanel key={selected} run={run.id} task={task} kind={kindOf(selected ?? '')} />}
      <Timeline entries={entries} selected={selected} onSelect={onSelect} waits={(reference) => waitingKinds.has(kindOf(reference))} />
      {task !== undefined && <Whole run={run} />}
      <Proof run={run} />
    </div>
  )
}
