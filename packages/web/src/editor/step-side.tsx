import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { Inspector } from '#src/editor/inspector/inspector.tsx'
import { NoStep } from '#src/editor/inspector/no-step.tsx'
import { readableValues } from '#src/editor/inspector/readable-values.ts'
import { StepResult } from '#src/editor/inspector/step-result.tsx'
import { ValuePicker } from '#src/editor/inspector/value-picker.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import type { Rehearsing } from '#src/editor/use-rehearsal.ts'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { parsed } from '#src/rehearse/samples.ts'

interface SideProps {
  readonly doc: FlowDocument
  readonly entry: DrawnEntry | undefined
  readonly commands: StepCommands
  readonly findings: readonly Finding[]
  readonly focus: number
  readonly rehearsing: Rehearsing
  readonly onText: () => void
}

/** The form of the selected step, with its values of the rehearsal. */
export function StepSide({ doc, entry, rehearsing, ...props }: SideProps) {
  const { json, drawing } = useStore(doc.store)
  if (entry === undefined) return <NoStep />
  const e = m.flowEditor
  const groups = readableValues(
    drawing.entries,
    entry,
    { json, rehearsal: rehearsing.rehearsal, input: parsed(rehearsing.samples.input) },
    { input: e.thisStepGets, steps: e.stepsBefore, start: e.startedWith, secrets: e.secrets },
  )
  return (
    <Inspector
      key={entry.path}
      {...props}
      doc={doc}
      entry={entry}
      result={<StepResult entry={entry} rehearsing={rehearsing} />}
      picker={(insert) => <ValuePicker groups={groups} onPick={insert} />}
    />
  )
}
