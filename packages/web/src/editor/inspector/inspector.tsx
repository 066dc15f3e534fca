import { useEffect, useRef } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { NameField } from '#src/editor/inspector/name-field.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import { StepMenu } from '#src/editor/step-menu.tsx'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { KindIcon } from '#src/ui/icon.tsx'

interface InspectorProps {
  readonly doc: FlowDocument
  readonly entry: DrawnEntry | undefined
  readonly commands: StepCommands
  readonly findings: readonly Finding[]
  /** Counts the requests to begin with the form. */
  readonly focus: number
  readonly onText: () => void
}

/** The form of the selected step. */
export function Inspector({ entry, commands, focus, onText }: InspectorProps) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (focus > 0) place.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [focus])
  if (entry === undefined)
    return (
      <aside className="step">
        <p className="i2 t13 step-none">{m.flowEditor.nothing}</p>
        <p className="i3 t12 step-none">{m.flowEditor.keys}</p>
      </aside>
    )
  return (
    <aside className="step" ref={place} aria-label={entry.name}>
      <div className="shead">
        <span className="node">
          <KindIcon kind={entry.kind} />
        </span>
        <NameField key={entry.name} name={entry.name} onRename={(name) => commands.rename(entry, name)} />
        <StepMenu entry={entry} commands={commands} onText={onText} />
      </div>
    </aside>
  )
}
