import type { Json, JsonObject } from '@millrace/dsl'
import { below, freeName, isObject } from '#src/document/task-json.ts'
import { fieldAt, type FieldModel } from '#src/editor/inspector/field-model.ts'
import { FieldFindings } from '#src/editor/inspector/field-findings.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { KeyField } from '#src/editor/inspector/rows-field.tsx'
import { useRowKeys } from '#src/editor/inspector/use-row-keys.ts'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** A list of values. */
export function ItemsField({ field }: { readonly field: FieldModel }) {
  const { json, set, Control } = useForm()
  const items = listOf(field.value)
  const added: Json = isObject(items[0]) ? {} : ''
  return (
    <div className="rows-field">
      {items.map((_, index) => (
        <div key={index} className="rows-row wide">
          <div className="rows-value">
            <Control field={fieldAt(json, below(field.pointer, index))} label={`${field.key} ${index + 1}`} />
            <FieldFindings pointer={below(field.pointer, index)} />
          </div>
          <Remove name={String(index + 1)} onRemove={() => set(field.pointer, (now) => listOf(now).toSpliced(index, 1))} />
        </div>
      ))}
      <Add onAdd={() => set(field.pointer, (now) => [...listOf(now), added])} />
    </div>
  )
}

/** A list of named entries, such as the cases of a switch, in their order. */
export function NamedField({ field }: { readonly field: FieldModel }) {
  const { json, set, Control } = useForm()
  const items = entriesOf(field.value)
  const names = items.map((item) => Object.keys(item)[0] ?? '')
  const keys = useRowKeys(names)
  const rename = (index: number, name: string) => {
    if (name === '' || names.includes(name)) return
    const place = below(field.pointer, index)
    const change = { from: below(place, names[index] ?? ''), to: below(place, name) }
    set(field.pointer, (now) => entriesOf(now).toSpliced(index, 1, renamed(entriesOf(now)[index] ?? {}, name)), change)
  }
  const move = (index: number, by: number) => {
    set(field.pointer, (now) => {
      const present = entriesOf(now)
      return present.toSpliced(index, 1).toSpliced(index + by, 0, ...present.slice(index, index + 1))
    })
  }
  return (
    <div className="rows-field">
      {names.map((name, index) => (
        <div key={keys[index]} className="named">
          <div className="row">
            <KeyField name={name} label={m.flowEditor.fields.key} onRename={(next) => rename(index, next)} />
            <span className="sp" />
            <IconButton
              icon="down"
              size="sm"
              label={m.flowEditor.down}
              disabled={index === names.length - 1}
              onClick={() => move(index, 1)}
            />
            <Remove name={name} onRemove={() => set(field.pointer, (now) => entriesOf(now).toSpliced(index, 1))} />
          </div>
          <Control field={fieldAt(json, below(below(field.pointer, index), name))} label={name} />
        </div>
      ))}
      <Add onAdd={() => set(field.pointer, withNewCase)} />
    </div>
  )
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function entriesOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).filter((item) => isObject(item))
}

function withNewCase(value: Json | undefined): Json {
  const now = entriesOf(value)
  const names = now.flatMap((item) => Object.keys(item).slice(0, 1))
  return [...now, { [freeName('case', names)]: { when: '${ false }', then: 'continue' } }]
}

function renamed(item: JsonObject, name: string): JsonObject {
  return { [name]: Object.values(item)[0] ?? null }
}

function Add({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <Button size="sm" look="quiet" icon="plus" onClick={onAdd}>
      {m.flowEditor.fields.addRow}
    </Button>
  )
}

function Remove({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return <IconButton icon="x" size="sm" label={m.flowEditor.fields.removeNamed(name)} onClick={onRemove} />
}
