import type { FlowDocument } from '#src/document/document-store.ts'
import type { ActiveField } from '#src/editor/inspector/form-context.ts'
import { readableValues } from '#src/editor/inspector/picking/readable-values.ts'
import { ValuePicker } from '#src/editor/inspector/picking/value-picker.tsx'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { drawnInstead } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'

interface ValuesProps {
  readonly doc: FlowDocument
  readonly rehearsing: Rehearsing
  /** The step. */
  readonly task: string
  readonly active: () => ActiveField | undefined
}

/** The values that a step can read, with those of the rehearsal. */
export function StepValues({ doc, rehearsing: { rehearsal, input }, task, active }: ValuesProps) {
  const e = m.flowEditor
  const groups = () => {
    const state = doc.store.getState()
    return readableValues(
      task,
      { json: state.json, rehearsal, input: input(), undrawn: drawnInstead(state.drawing.entries) },
      { input: e.thisStepGets, steps: e.stepsBefore, start: e.startedWith, secrets: e.secrets },
    )
  }
  return <ValuePicker groups={groups} active={active} />
}
