import type { Json, JsonObject } from '@millrace/dsl'
import { useState } from 'react'
import { below, freeName, isObject } from '#src/document/task-json.ts'
import { childFields, type FieldModel } from '#src/editor/inspector/field-model.ts'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { useRowKeys } from '#src/editor/inspector/use-row-keys.ts'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** A table of names and values. */
export function RowsField({ field }: { readonly field: FieldModel }) {
  const { json, set } = useForm()
  return (
    <div className="rows-field">
      <KeyedRows pointer={field.pointer} rows={childFields(json, field.pointer)} required={field.required} />
      <Button size="sm" look="quiet" icon="plus" onClick={() => set(field.pointer, withNewKey)}>
        {m.flowEditor.fields.addRow}
      </Button>
    </div>
  )
}

interface KeyedRowsProps {
  /** Of the object. */
  readonly pointer: string
  readonly rows: readonly FieldModel[]
  /** The object stays when its last member is removed. */
  readonly required?: boolean
  /** Keys that no row can get; those of the rows unless given. */
  readonly taken?: readonly string[]
}

/** Members of an object whose keys a person chooses. */
export function KeyedRows({ pointer, rows, required = true, taken }: KeyedRowsProps) {
  const { set, unset, Control } = useForm()
  const names = rows.map(({ key }) => key)
  const keys = useRowKeys(names)
  const f = m.flowEditor.fields
  const rename = (name: string, next: string) => {
    if (next === '' || next === name || (taken ?? names).includes(next)) return
    set(pointer, (now) => renamedKey(now, name, next), { from: below(pointer, name), to: below(pointer, next) })
  }
  return (
    <>
      {rows.map((row, index) => (
        <div key={keys[index]} className="rows-row">
          <KeyField name={row.key} label={f.key} onRename={(next) => rename(row.key, next)} />
          <div className="rows-value">
            <Control field={row} label={row.key} />
            <FieldFindings pointer={row.pointer} />
          </div>
          <IconButton
            icon="x"
            size="sm"
            label={f.removeNamed(row.key)}
            onClick={() => unset(names.length === 1 && !required ? pointer : row.pointer)}
          />
        </div>
      ))}
    </>
  )
}

/** An object with one member more, under a key that is free and not reserved. */
export function withNewKey(value: Json | undefined, reserved: readonly string[] = []): JsonObject {
  const now = isObject(value) ? value : {}
  return { ...now, [freeName('name', [...Object.keys(now), ...reserved])]: '' }
}

function renamedKey(value: Json | undefined, name: string, next: string): JsonObject {
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([key, one]): [string, Json] => [key === name ? next : key, one]),
  )
}

/** The name of a row: what was typed counts when the field is left. */
export function KeyField({
  name,
  label,
  onRename,
}: {
  readonly name: string
  readonly label: string
  readonly onRename: (name: string) => void
}) {
  const [typed, setTyped] = useState(name)
  const [known, setKnown] = useState(name)
  if (known !== name) {
    setKnown(name)
    // What is being typed stays.
    if (typed === known || typed.trim() === name) setTyped(name)
  }
  return (
    <input
      className="input code rows-key"
      aria-label={label}
      dir="ltr"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => onRename(typed.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
