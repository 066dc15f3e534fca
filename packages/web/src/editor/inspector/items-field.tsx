import type { Json, JsonObject } from '@millrace/dsl'
import { below, freeName, isObject } from '#src/document/task-json.ts'
import { fieldAt, type FieldModel } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { KeyField } from '#src/editor/inspector/rows-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** A list of values. */
export function ItemsField({ field }: { readonly field: FieldModel }) {
  const { json, set, Control } = useForm()
  const items = Array.isArray(field.value) ? field.value : []
  const added: Json = isObject(items[0]) ? {} : ''
  return (
    <div className="rows-field">
      {items.map((_, index) => (
        <div key={index} className="rows-row wide">
          <div className="rows-value">
            <Control field={fieldAt(json, below(field.pointer, index))} label={`${field.key} ${index + 1}`} />
          </div>
          <Remove name={String(index + 1)} onRemove={() => set(field.pointer, items.toSpliced(index, 1))} />
        </div>
      ))}
      <Add onAdd={() => set(field.pointer, [...items, added])} />
    </div>
  )
}

/** A list of named entries, such as the cases of a switch, in their order. */
export function NamedField({ field }: { readonly field: FieldModel }) {
  const { json, set, Control } = useForm()
  const items = (Array.isArray(field.value) ? field.value : []).filter((item) => isObject(item))
  const names = items.map((item) => Object.keys(item)[0] ?? '')
  const rename = (index: number, name: string) => {
    if (name === '' || names.includes(name)) return
    set(field.pointer, items.toSpliced(index, 1, renamed(items[index] ?? {}, name)))
  }
  const move = (index: number, by: number) => {
    const item = items[index]
    if (item !== undefined) set(field.pointer, items.toSpliced(index, 1).toSpliced(index + by, 0, item))
  }
  return (
    <div className="rows-field">
      {names.map((name, index) => (
        <div key={name} className="named">
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
            <Remove name={name} onRemove={() => set(field.pointer, items.toSpliced(index, 1))} />
          </div>
          <Control field={fieldAt(json, below(below(field.pointer, index), name))} label={name} />
        </div>
      ))}
      <Add onAdd={() => set(field.pointer, [...items, { [freeName('case', names)]: { when: '${ false }', then: 'continue' } }])} />
    </div>
  )
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
