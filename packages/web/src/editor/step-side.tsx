import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { Inspector } from '#src/editor/inspector/inspector.tsx'
import { NoStep } from '#src/editor/inspector/no-step.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { type DrawnEntry, entryAt } from '#src/flow/drawing.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

/** Loaded beside the rest of the editor. */
const RunSettings = onDemand(() => import('#src/editor/inspector/run-settings.tsx').then((module) => module.RunSettings))
const StepValues = onDemand(() => import('#src/editor/step-values.tsx').then((module) => module.StepValues))
/** Behind its own tab, with the test of a step. */
const StepResult = onDemand(() => import('#src/editor/inspector/step-result.tsx').then((module) => module.StepResult))

interface SideProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly commands: StepCommands
  readonly findings: readonly Finding[]
  readonly focus: number
  readonly rehearsing: Rehearsing
  readonly onText: (entry: DrawnEntry) => void
  readonly onLine: (line: number) => void
}

/** The form of the selected step, with its values of the rehearsal. */
export function StepSide({ workflow, doc, rehearsing, onText, onLine, ...props }: SideProps) {
  const drawing = useStore(doc.store, (state) => state.drawing)
  const path = useStore(doc.store, (state) => state.selected)
  const selection = useStore(doc.store, (state) => state.selection)
  const entry = useMemo(() => entryAt(drawing.entries, path), [drawing, path])
  const { lens: ask, rehearsal } = rehearsing
  const task = entry?.reference
  // Another one after each rehearsal, so that an open lens asks again.
  const lens = useMemo(() => (task === undefined ? undefined : { task, ask }), [task, ask, rehearsal])
  if (entry === undefined) {
    const runSettings = <RunSettings doc={doc} findings={props.findings} input={rehearsing.input} onLine={onLine} />
    return <NoStep workflow={workflow} runSettings={runSettings} />
  }
  return (
    <Inspector
      key={selection}
      {...props}
      doc={doc}
      entry={entry}
      onText={() => onText(entry)}
      result={<StepResult workflow={workflow} doc={doc} entry={entry} rehearsing={rehearsing} />}
      {...(lens === undefined ? {} : { lens })}
      picker={(active) => <StepValues doc={doc} rehearsing={rehearsing} task={entry.reference} active={active} />}
    />
  )
}
