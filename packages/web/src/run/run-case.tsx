import { useMemo } from 'react'
import { verdictWords } from '#src/approvals/approval-end.ts'
import { m } from '#src/messages/messages.ts'
import type { OutlineEntry } from '#src/flow/outline.ts'
import { decidingIn } from '#src/run/deciding.ts'
import { Scrubber } from '#src/run/scrubber.tsx'
import { StepPanel } from '#src/run/step-panel.tsx'
import { timelineOf } from '#src/run/timeline-rows.ts'
import { Timeline, type TimelineNote } from '#src/run/timeline.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import type { RunApprovals } from '#src/run/use-run-approvals.ts'
import { isWaiting, type Scrubbing } from '#src/run/use-scrubbing.ts'
import { Whole } from '#src/run/whole.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

// Below all else, and of ended runs alone.
const Proof = onDemand(() => import('#src/run/proof.tsx').then((module) => module.Proof))

interface RunCaseProps {
  readonly run: RunDetail
  readonly scrubbing: Scrubbing
  readonly selected: string | undefined
  readonly kinds: ReadonlyMap<string, string>
  /** Of the step of the flow that stands for the selected task. */
  readonly kind: string
  readonly approvals: RunApprovals
  readonly definition: unknown
  /** What is drawn of tasks that are not, by their reference. */
  readonly instead: ReadonlyMap<string, OutlineEntry>
  readonly onSelect: (reference: string) => void
}

/** What a row of the timeline says of the approval at a position: who decided it, or that no person did. */
function noteOf({ lapsed, decided }: RunApprovals, position: string): readonly TimelineNote[] {
  const approval = decided.get(position)
  if (approval !== undefined) return [{ text: verdictWords(approval) ?? '', look: approval.state === 'rejected' ? 'c-bad' : 'i2' }]
  return lapsed.has(position) ? [{ text: m.approvals.noDecision, look: 'c-wait' }] : []
}

/** Beside the flow: the chosen step or the whole run, the timeline with its scrubber, and the proof. */
export function RunCase({ run, scrubbing, selected, kinds, kind, approvals, definition, instead, onSelect }: RunCaseProps) {
  const { moments, at, atMs, go, states } = scrubbing
  const { entries } = moments
  const drawing = useMemo(() => timelineOf(entries, (reference) => isWaiting(kinds.get(reference) ?? ''), Date.now()), [entries, kinds])
  const notes = useMemo(
    () => new Map(entries.flatMap(({ position, reference }) => noteOf(approvals, position).map((note) => [reference, note] as const))),
    [entries, approvals],
  )
  const task = selected === undefined ? undefined : states.get(selected)
  const chooser = [...instead.values()].find(({ reference }) => reference === selected)?.chooses
  const name = entries.find(({ reference }) => reference === selected)?.name
  return (
    <div className="case">
      {task !== undefined && (
        <StepPanel
          key={selected}
          run={run.id}
          isOver={run.endedAt !== null}
          task={task}
          deciding={decidingIn(task, chooser === undefined ? undefined : states.get(chooser), definition)}
          kind={kind}
          approvals={approvals.all}
        />
      )}
      {task === undefined && at === undefined && <Whole run={run} />}
      {task === undefined && at !== undefined && (
        <p className="step-panel step-body i2">{name === undefined ? m.runView.notBegun : m.runView.stepNotBegun(name)}</p>
      )}
      <Timeline drawing={drawing} notes={notes} selected={selected} onSelect={onSelect} atMs={atMs}>
        <Scrubber moments={moments} at={at} onChange={go} />
      </Timeline>
      {(task !== undefined || at !== undefined) && <Whole run={run} />}
      {run.endedAt !== null && <Proof run={run} />}
    </div>
  )
}
