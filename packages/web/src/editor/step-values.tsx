import type { FlowDocument } from '#src/document/document-store.ts'
import { readableValues } from '#src/editor/inspector/readable-values.ts'
import { ValuePicker } from '#src/editor/inspector/value-picker.tsx'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { m } from '#src/messages/messages.ts'

interface ValuesProps {
  readonly doc: FlowDocument
  readonly rehearsing: Rehearsing
  /** The step. */
  readonly task: string
  readonly onPick: (path: string) => void
}

/** The values that a step can read, with those of the rehearsal. */
export function StepValues({ doc, rehearsing: { rehearsal, input }, task, onPick }: ValuesProps) {
  const e = m.flowEditor
  const groups = () =>
    readableValues(
      task,
      { json: doc.store.getState().json, rehearsal, input: input() },
      { input: e.thisStepGets, steps: e.stepsBefore, start: e.startedWith, secrets: e.secrets },
    )
  return <ValuePicker groups={groups} onPick={onPick} />
}
