import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import type { Section } from '#src/editor/inspector/field-model.ts'
import { formActions } from '#src/editor/inspector/form-actions.ts'
import { type ActiveField, type FormActions, FormProvider, type TaskLens } from '#src/editor/inspector/form-context.ts'
import { stepButton } from '#src/editor/focus-step.ts'
import { NameField } from '#src/editor/inspector/name-field.tsx'
import { SectionFields } from '#src/editor/inspector/section-fields.tsx'
import type { StepCommands } from '#src/editor/step-commands.ts'
import { StepMenu } from '#src/editor/step-menu.tsx'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { IconButton } from '#src/ui/button.tsx'
import { KindIcon } from '#src/ui/icon.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

interface InspectorProps {
  readonly doc: FlowDocument
  readonly entry: DrawnEntry
  readonly commands: StepCommands
  readonly findings: readonly Finding[]
  /** Counts the requests to begin with the form. */
  readonly focus: number
  readonly onText: () => void
  /** What the step made in the rehearsal, and the values that can be picked for the active field. */
  readonly result?: ReactNode
  readonly picker?: (active: () => ActiveField | undefined) => ReactNode
  readonly lens?: TaskLens
}

type Tab = Section | 'result'

/** The form of the selected step. Every change of it is an edit of the text. */
export function Inspector({ doc, entry, commands, findings, focus, onText, result, picker, lens }: InspectorProps) {
  const place = useRef<HTMLElement>(null)
  const active = useRef<ActiveField>(undefined)
  const [tab, setTab] = useState<Tab>('setup')
  const json = useStore(doc.store, (state) => state.json)
  const edition = useStore(doc.store, (state) => state.edition)
  const opened = useRef(focus)
  useEffect(() => {
    if (focus === opened.current) return
    opened.current = focus
    place.current?.querySelector<HTMLElement>('.sbody :is(input, textarea, select), .shead input')?.focus()
  }, [focus])
  const edits = useMemo(
    () => formActions(doc, { json: json ?? null, edition, task: entry.reference }, findings, (field) => (active.current = field)),
    [doc, json, edition, entry.reference, findings],
  )
  const actions = useMemo<FormActions>(() => ({ ...edits, lens }), [edits, lens])
  const tabs: readonly (readonly [Tab, string])[] = [
    ['setup', m.flowEditor.tabs.setup],
    ['data', m.flowEditor.tabs.data],
    ['flow', m.flowEditor.tabs.flow],
    ...(result === undefined ? [] : [['result', m.flowEditor.tabs.result] as const]),
  ]
  return (
    <aside
      className="step"
      ref={place}
      aria-label={entry.name}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        // Leaving the field first makes its change.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        stepButton(entry.reference)?.focus()
      }}
    >
      <div className="shead">
        <span className="node">
          <KindIcon kind={entry.kind} />
        </span>
        <NameField name={entry.name} onRename={(name) => commands.rename(entry, name)} />
        <StepMenu entry={entry} commands={commands} onText={onText} />
        <IconButton icon="x" label={m.flowEditor.closeStep} onClick={() => doc.select(undefined)} />
      </div>
      <Tabs label={entry.name} tabs={tabs} value={tab} onChange={(key) => setTab(tabs.find(([one]) => one === key)?.[0] ?? 'setup')} />
      <div className="sbody">
        {tab === 'result' && result}
        {tab !== 'result' && json === undefined && <p className="c-wait t13">{m.flowEditor.formBroken}</p>}
        {tab !== 'result' && json !== undefined && (
          <FormProvider value={actions}>
            <SectionFields json={json} entry={entry} section={tab} />
          </FormProvider>
        )}
      </div>
      {tab !== 'result' && json !== undefined && picker?.(() => active.current)}
    </aside>
  )
}
