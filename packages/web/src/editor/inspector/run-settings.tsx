import type { Json } from '@millrace/dsl'
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
import { InputSection } from '#src/editor/inspector/input/input-section.tsx'
import { Part } from '#src/editor/inspector/part.tsx'
import { ValuePicker } from '#src/editor/inspector/picking/value-picker.tsx'
import { m } from '#src/messages/messages.ts'

const place = '/document/metadata/labels'
const limit = '/document/metadata/concurrency'

interface RunSettingsProps {
  readonly doc: FlowDocument
  readonly findings: readonly Finding[]
  /** What the rehearsal starts with. */
  readonly input: () => Json
  /** Shows a line of the text. */
  readonly onLine: (line: number) => void
}

/** The input that a workflow declares, how many of its runs run at once, and their labels: names, and expressions into which values of the input can be picked. */
export function RunSettings({ doc, findings, input, onLine }: RunSettingsProps) {
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
  const groups = () => [{ key: 'start' as const, title: e.startedWith, values: [{ root: '.', value: input() }] }]
  return (
    <FormProvider value={actions}>
      <InputSection doc={doc} json={json} edition={edition} onLine={onLine} />
      <Part title={e.runsAtOnce}>
        <FieldControl field={fieldAt(json, limit)} label={e.runsAtOnce} />
        <FieldFindings pointer={limit} />
        <p className="t12 i3">{e.runsAtOnceText}</p>
      </Part>
      <Part title={e.runLabels}>
        <p className="t12 i3">{e.runLabelsText}</p>
        <FieldControl field={field} label={e.runLabels} />
        <FieldFindings pointer={place} />
        {isObject(field.value) && <ValuePicker groups={groups} active={() => active.current} />}
      </Part>
    </FormProvider>
  )
}
