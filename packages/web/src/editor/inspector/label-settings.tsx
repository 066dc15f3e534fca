import { useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import { isObject } from '#src/document/task-json.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import { fieldAt } from '#src/editor/inspector/field-model.ts'
import { FieldControl } from '#src/editor/inspector/field-view.tsx'
import { formActions } from '#src/editor/inspector/form-actions.ts'
import { type ActiveField, type FormActions, FormProvider } from '#src/editor/inspector/form-context.ts'
import { ValuePicker } from '#src/editor/inspector/value-picker.tsx'
import { m } from '#src/messages/messages.ts'
import { parsed } from '#src/rehearse/samples.ts'

const place = '/document/metadata/labels'

interface LabelSettingsProps {
  readonly doc: FlowDocument
  readonly findings: readonly Finding[]
  /** What the rehearsal starts with, as text. */
  readonly input: string
}

/** The labels of the runs of a workflow: names, and expressions into which values of the input can be picked. */
export function LabelSettings({ doc, findings, input }: LabelSettingsProps) {
  const active = useRef<ActiveField>(undefined)
  const json = useStore(doc.store, (state) => state.json)
  const edition = useStore(doc.store, (state) => state.edition)
  const actions = useMemo<FormActions>(
    () => ({
      ...formActions(doc, { json: json ?? null, edition, task: '/document' }, findings, (field) => (active.current = field)),
      lens: undefined,
    }),
    [doc, json, edition, findings],
  )
  const e = m.flowEditor
  if (json === undefined) return <p className="c-wait t13">{e.formBroken}</p>
  const field = fieldAt(json, place)
  const groups = () => [{ key: 'start' as const, title: e.startedWith, values: [{ root: '.', value: parsed(input) }] }]
  return (
    <FormProvider value={actions}>
      <p className="t12 i3">{e.runLabelsText}</p>
      <FieldControl field={field} label={e.runLabels} />
      <FieldFindings pointer={place} />
      {isObject(field.value) && <ValuePicker groups={groups} onPick={(path) => active.current?.insert(path)} />}
    </FormProvider>
  )
}
