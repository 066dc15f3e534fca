import type { InputUses, Json } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { freeName, jsonAt, pointerKeys } from '#src/document/task-json.ts'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import { addField, fieldPlace, inputFields, inputPlace, renameField } from '#src/editor/inspector/input/input-fields.ts'
import { InputFieldRow, type FieldEditing } from '#src/editor/inspector/input/input-field-row.tsx'
import { lineOfMember } from '#src/editor/inspector/input/line-of-member.ts'
import { Part } from '#src/editor/inspector/part.tsx'
import { useRowKeys } from '#src/editor/inspector/use-row-keys.ts'
import { inputAsked } from '#src/editor/use-asked-step.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/toast.tsx'

interface InputSectionProps {
  readonly doc: FlowDocument
  readonly json: Json
  readonly edition: number
  /** Shows a line of the text. */
  readonly onLine: (line: number) => void
}

/** The input that a workflow declares, as fields. What fields cannot show of its schema stays as it is written. */
export function InputSection({ doc, json, edition, onLine }: InputSectionProps) {
  const w = m.inputFields
  const { at }: { at?: string } = useSearch({ strict: false })
  const section = useRef<HTMLDivElement>(null)
  const isAdding = useRef(false)
  const fields = inputFields(json)
  const names = fields?.map(({ name }) => name) ?? []
  const keys = useRowKeys(names)
  const isAsked = at === inputAsked
  useEffect(() => {
    if (!isAsked) return
    section.current?.scrollIntoView({ block: 'nearest' })
    // The last button adds a field; the first one would remove one.
    const buttons = [...(section.current?.querySelectorAll('button') ?? [])]
    buttons.at(-1)?.focus({ preventScroll: true })
  }, [isAsked])
  useEffect(() => {
    if (!isAdding.current) return
    isAdding.current = false
    const added = section.current?.querySelector<HTMLInputElement>('.input-fields > :last-child .rows-key')
    added?.focus()
    added?.select()
  }, [names.length])
  const editing = fieldEditing(doc, edition)
  const toText = (pointer: string) => onLine(lineOfMember(doc.store.getState().text, pointer))
  const add = () => {
    isAdding.current = true
    editing.edit((now) =>
      addField(
        now,
        freeName(
          'field',
          (inputFields(now) ?? []).map(({ name }) => name),
        ),
      ),
    )
  }
  return (
    <Part title={m.flowEditor.takes}>
      <div className="step-field input-section" ref={section}>
        <p className="t12 i3">{w.text}</p>
        <FieldFindings pointer={inputPlace} />
        {fields === undefined ? (
          <p className="row wrap t13">
            {w.allBeyond}
            <Button size="sm" look="quiet" onClick={() => toText('/input/schema')}>
              {w.toText}
            </Button>
          </p>
        ) : (
          <div className="rows-field">
            {fields.length > 0 && (
              <div className="input-fields">
                {fields.map((field, index) => (
                  <InputFieldRow
                    key={keys[index]}
                    field={field}
                    isNew={isAdding.current && index === fields.length - 1}
                    others={names.filter((name) => name !== field.name)}
                    editing={editing}
                    toText={() => toText(fieldPlace(field.name))}
                  />
                ))}
              </div>
            )}
            <Button size="sm" icon="plus" onClick={add}>
              {m.approvalStep.addField}
            </Button>
          </div>
        )}
      </div>
    </Part>
  )
}

/** Loaded when a field is renamed: it reads expressions. */
const usesLoaded = () => import('#src/editor/inspector/input/input-uses.ts')

/** How many texts a rename changed, and the steps that may read the field as well. */
function renamedText({ certain, possible }: InputUses): string {
  const w = m.inputFields
  const steps = new Set(possible.map((pointer) => /.*\/\d+\/([^/]+)/.exec(pointer)?.[1] ?? pointer))
  return [
    ...(certain.length > 0 ? [w.usesRenamed(certain.length)] : []),
    ...(steps.size > 0 ? [w.usesPossible([...steps].join(', '))] : []),
  ].join(' ')
}

/** The edits of fields; a name is that which the field had in an edition of the document. */
function fieldEditing(
  doc: FlowDocument,
  edition: number,
): FieldEditing & { readonly edit: (plan: (now: Json) => readonly Edit[]) => void } {
  const report = (done: ReturnType<FlowDocument['edit']>) =>
    void done.then((fault) => {
      if (fault !== undefined) toast(fault.message, 'faulted')
    })
  const present = (name: string) => doc.present(fieldPlace(name), edition)
  const planned = (name: string, plan: (now: Json, name: string) => readonly Edit[]) => (now: Json) =>
    jsonAt(now, present(name)) === undefined ? [] : plan(now, pointerKeys(present(name)).at(-1) ?? '')
  return {
    edit: (plan) => report(doc.edit(plan, { select: false })),
    change: (name, plan, { joined = false } = {}) => report(doc.edit(planned(name, plan), { select: false, joined })),
    async rename(name, next) {
      const { inputUses } = await usesLoaded()
      let uses: InputUses = { certain: [], possible: [] }
      const plan = planned(name, (now, current) => {
        uses = inputUses(now, current, next)
        return renameField(now, current, next, uses.certain)
      })
      const fault = await doc.edit(plan, { select: false, renames: () => [{ from: present(name), to: fieldPlace(next) }] })
      if (fault !== undefined) toast(fault.message, 'faulted')
      else if (uses.certain.length + uses.possible.length > 0) toast(renamedText(uses), uses.possible.length > 0 ? 'running' : 'completed')
    },
  }
}
