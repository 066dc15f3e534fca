import type { TaskProblems } from '#src/editor/problems-by-task.ts'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import type { EntryLook } from '#src/flow/flow-steps.tsx'
import { m } from '#src/messages/messages.ts'
import type { RehearsedStep, Rehearsal } from '#src/rehearse/rehearse.ts'
import { shortValue } from '#src/rehearse/samples.ts'
import { errorWords } from '#src/run/error-words.ts'
import { Icon } from '#src/ui/icon.tsx'

/** How a step looks after a rehearsal: the way that was taken, and what came out of each step. */
export function rehearsedLook(entry: DrawnEntry, rehearsal: Rehearsal | undefined, problems: TaskProblems | undefined): EntryLook {
  const step = rehearsal?.steps.get(entry.reference)
  const marks = problems === undefined ? undefined : <ProblemMark problems={problems} />
  if (rehearsal === undefined || rehearsal.end === 'unfit') return { into: 'ready', out: 'ready', end: marks }
  if (step === undefined) return { into: 'empty', out: 'empty', passedBy: true, end: marks }
  const done = step.state === 'completed' || step.state === 'skipped'
  return {
    into: 'ready',
    out: done ? 'ready' : 'empty',
    passedBy: step.state === 'skipped',
    ...(step.error === undefined ? {} : { summary: <ErrorSummary error={step.error} /> }),
    end: (
      <>
        {step.rounds > 1 && <span className="dur">×{step.rounds}</span>}
        {step.state === 'waiting' && <span className="badge wait">{m.flowEditor.needsSample}</span>}
        {/* A step with an error keeps the value of the last rehearsal that was possible, which is not its own any more. */}
        {step.state === 'completed' && entry.blocks.length === 0 && problems?.isError !== true && (
          <bdi className="val mono t12 i2" dir="ltr">
            {shortValue(step.output)}
          </bdi>
        )}
        {marks}
      </>
    ),
  }
}

/** What the look of a step depends on. */
export function rehearsedKey(entry: DrawnEntry, rehearsal: Rehearsal | undefined, problems: TaskProblems | undefined): string {
  const marks = `${problems?.count} ${problems?.isError}`
  const step = rehearsal?.steps.get(entry.reference)
  if (rehearsal === undefined || step === undefined) return `${rehearsal === undefined || rehearsal.end === 'unfit'} ${marks}`
  return `${step.state} ${step.rounds} ${marks} ${step.error?.status ?? ''} ${step.error?.detail ?? ''} ${shortValue(step.output)}`
}

function ErrorSummary({ error }: { readonly error: NonNullable<RehearsedStep['error']> }) {
  return (
    <span className="c-bad" title={error.detail}>
      <span className="b">{errorWords(error)}</span> {error.detail}
    </span>
  )
}

function ProblemMark({ problems: { count, isError } }: { readonly problems: TaskProblems }) {
  return (
    <span className={`${isError ? 'c-bad' : 'c-wait'} row problem-mark`}>
      <Icon name="warn" label={m.flowEditor.problemsOf(count)} />
      {count > 1 && count}
    </span>
  )
}
