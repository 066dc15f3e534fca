import { readableName } from '@millrace/contract'
import type { Json } from '@millrace/dsl'
import { useState } from 'react'
import { childFields, type FieldModel, inForm, isOpen, scalarOf, scalarText } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { FunctionField } from '#src/editor/inspector/function-field.tsx'
import { KeyedRows, RowsField, withNewKey } from '#src/editor/inspector/rows-field.tsx'
import { TextField } from '#src/editor/inspector/text-field.tsx'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const ItemsField = onDemand(() => import('#src/editor/inspector/items-field.tsx').then((module) => module.ItemsField))
const NamedField = onDemand(() => import('#src/editor/inspector/items-field.tsx').then((module) => module.NamedField))
const YamlField = onDemand(() => import('#src/editor/inspector/yaml-field.tsx').then((module) => module.YamlField))
const ReturnedFields = onDemand(() =>
  import('#src/editor/inspector/schema-rows/returned-fields.tsx').then((module) => module.ReturnedFields),
)
const TaskToolsField = onDemand(() =>
  import('#src/editor/inspector/task-tools/task-tools-field.tsx').then((module) => module.TaskToolsField),
)

/** The fields of an object: those that are set or needed, and a button for each of the others. */
export function Fields({
  fields,
  open,
  pointer,
}: {
  readonly fields: readonly FieldModel[]
  readonly open?: boolean
  readonly pointer?: string
}) {
  const [asked, setAsked] = useState<readonly string[]>([])
  const { set } = useForm()
  const named = fields.filter((field) => field.hasOwnKey !== true)
  const isShown = (field: FieldModel) => field.required || field.shown === true || field.value !== undefined || asked.includes(field.key)
  const others = named.filter((field) => !isShown(field))
  return (
    <>
      {named.filter(isShown).map((field) => (
        <FieldView key={field.key} field={field} />
      ))}
      {pointer !== undefined && named.length < fields.length && (
        <div className="rows-field">
          <KeyedRows pointer={pointer} rows={fields.filter((field) => field.hasOwnKey === true)} taken={fields.map(({ key }) => key)} />
        </div>
      )}
      {(others.length > 0 || open === true) && (
        <div className="row wrap more-fields">
          {others.map((field) => (
            <Button key={field.key} size="sm" look="quiet" icon="plus" onClick={() => setAsked([...asked, field.key])}>
              {labelOf(field.key)}
            </Button>
          ))}
          {open === true && pointer !== undefined && (
            <Button
              size="sm"
              look="quiet"
              icon="plus"
              onClick={() =>
                set(pointer, (now) =>
                  withNewKey(
                    now,
                    fields.map(({ key }) => key),
                  ),
                )
              }
            >
              {m.flowEditor.fields.addRow}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

export function labelOf(key: string): string {
  const words: Readonly<Record<string, string>> = m.fieldNames
  return words[key] ?? readableName(key)
}

function FieldView({ field }: { readonly field: FieldModel }) {
  const { set, unset } = useForm()
  const next = field.forms.find((form) => form !== formOf(field.value))
  const actions = (
    <>
      {field.forms.length > 1 && next !== undefined && (
        <Button size="sm" look="quiet" onClick={() => set(field.pointer, inForm(next, field))}>
          {m.flowEditor.fields.as[next]}
        </Button>
      )}
      {!field.required && field.value !== undefined && (
        <Button size="sm" look="quiet" onClick={() => unset(field.pointer)}>
          {m.common.remove}
        </Button>
      )}
    </>
  )
  const label = field.widget === 'schema' ? m.returnedFields.title : labelOf(field.key)
  return (
    <StepField
      name={field.key}
      label={label}
      pointer={field.pointer}
      required={field.required}
      actions={actions}
      hint={field.widget === 'schema' ? m.returnedFields.hint : field.hint}
    >
      <FieldControl field={field} label={label} />
    </StepField>
  )
}

function formOf(value: Json | undefined): string {
  return Array.isArray(value) ? 'list' : typeof value === 'object' && value !== null ? 'parts' : 'text'
}

/** The control of a value alone. */
export function FieldControl({ field, label }: { readonly field: FieldModel; readonly label: string }) {
  const { set } = useForm()
  const { pointer, value, widget } = field
  switch (widget) {
    case 'fields':
      return <Nested field={field} />
    case 'rows':
      return <RowsField field={field} />
    case 'items':
      return <ItemsField field={field} />
    case 'named':
      return <NamedField field={field} />
    case 'boolean':
    case 'choice':
      return <Choice field={field} label={label} />
    case 'schema':
      return <ReturnedFields pointer={pointer} label={label} />
    case 'tools':
      return <TaskToolsField pointer={pointer} label={label} />
    case 'yaml':
      return <YamlField label={label} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
    default:
      return field.key === 'call' && typeof value === 'string' ? (
        <FunctionField field={field} label={label} />
      ) : (
        <Typed field={field} label={label} />
      )
  }
}

function Nested({ field }: { readonly field: FieldModel }) {
  const { json } = useForm()
  return (
    <div className="nested">
      <Fields
        fields={childFields(json, field.pointer)}
        open={field.value !== undefined && isOpen(json, field.pointer)}
        pointer={field.pointer}
      />
    </div>
  )
}

function Typed({ field, label }: { readonly field: FieldModel; readonly label: string }) {
  const { set, unset } = useForm()
  const { pointer, value, widget, required, choices } = field
  const isAny = widget === 'any' || widget === 'number'
  return (
    <TextField
      label={label}
      pointer={pointer}
      value={!isAny && typeof value === 'string' ? value : scalarText(value)}
      expression={widget === 'expression'}
      code={widget === 'code'}
      number={widget === 'number'}
      choices={choices}
      onCommit={(text) => {
        if (text === '' && !required) unset(pointer)
        else set(pointer, isAny ? scalarOf(text) : text)
      }}
    />
  )
}

function Choice({ field, label }: { readonly field: FieldModel; readonly label: string }) {
  const { set, unset } = useForm()
  const { pointer, value, widget, choices } = field
  const all = widget === 'boolean' ? ['true', 'false'] : choices
  const now = typeof value === 'string' ? value : scalarText(value)
  return (
    <select
      className="input"
      aria-label={label}
      value={now}
      onChange={({ target }) => {
        if (target.value === '') unset(pointer)
        else set(pointer, widget === 'boolean' ? target.value === 'true' : target.value)
      }}
    >
      <option value="">{m.flowEditor.fields.unset}</option>
      {[...new Set([...all, ...(now === '' ? [] : [now])])].map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}
