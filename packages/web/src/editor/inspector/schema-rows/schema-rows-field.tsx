import { below, freeName, jsonAt } from '#src/document/task-json.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { KeyField } from '#src/editor/inspector/rows-field.tsx'
import { changedRow, type RowForm, schemaOf, type SchemaRow, schemaRows, withRow } from '#src/editor/inspector/schema-rows/schema-rows.ts'
import { linesOf, TypedText } from '#src/editor/inspector/typed-text.tsx'
import { useRowKeys } from '#src/editor/inspector/use-row-keys.ts'
import { YamlField } from '#src/editor/inspector/yaml-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

interface SchemaRowsFieldProps {
  readonly pointer: string
  readonly label: string
  readonly form: RowForm
  /** What the text of a member is called. */
  readonly textLabel: string
  /** What it is called that a member has to be there. */
  readonly requiredLabel: string
  /** The rows that can be added, each by a button. */
  readonly additions: readonly (readonly [label: string, row: SchemaRow])[]
}

/** The members of an object's schema as rows, or YAML where the schema says more. */
export function SchemaRowsField(props: SchemaRowsFieldProps) {
  const { pointer, label, form, additions } = props
  const { json, set } = useForm()
  const value = jsonAt(json, pointer)
  const rows = schemaRows(value, form)
  const names = rows?.map(({ name }) => name) ?? []
  const keys = useRowKeys(names)
  if (rows === undefined) return <YamlField label={label} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
  const add = (row: SchemaRow) =>
    set(pointer, (now) => {
      const taken = (schemaRows(now, form) ?? []).map(({ name }) => name)
      return withRow(now, { ...row, name: freeName(row.name, taken) }, form)
    })
  return (
    <div className="rows-field">
      {rows.map((row, index) => (
        <Row key={keys[index]} {...props} row={row} names={names} />
      ))}
      <div className="row wrap">
        {additions.map(([text, row]) => (
          <Button key={text} size="sm" icon="plus" onClick={() => add(row)}>
            {text}
          </Button>
        ))}
      </div>
    </div>
  )
}

function Row({
  row,
  pointer,
  names,
  form,
  textLabel,
  requiredLabel,
}: SchemaRowsFieldProps & { readonly row: SchemaRow; readonly names: readonly string[] }) {
  const a = m.approvalStep
  const f = m.flowEditor.fields
  const { set, unset } = useForm()
  const { name, kind, required } = row
  const place = below(below(pointer, 'properties'), name)
  const textPlace = below(place, form.text)
  const rename = (next: string) => {
    if (next === '' || names.includes(next)) return
    set(pointer, (now) => changedRow(now, name, { name: next }) ?? {}, { from: place, to: below(below(pointer, 'properties'), next) })
  }
  return (
    <div className="asked" role="group" aria-label={name}>
      <div className="row">
        <KeyField name={name} label={f.key} onRename={rename} />
        <select
          className="input"
          aria-label={a.kind}
          value={kind}
          onChange={({ target }) => {
            const next = form.kinds.find((one) => one === target.value) ?? 'text'
            set(place, schemaOf({ ...row, kind: next, choices: next === 'choice' ? a.newChoices : [] }, form))
          }}
        >
          {form.kinds.map((one) => (
            <option key={one} value={one}>
              {a.kinds[one]}
            </option>
          ))}
        </select>
        <IconButton
          icon="x"
          size="sm"
          label={f.removeNamed(name)}
          onClick={() => {
            if (names.length === 1) unset(pointer)
            else set(pointer, (now) => changedRow(now, name, undefined) ?? {})
          }}
        />
      </div>
      <TypedText label={textLabel} value={row.text} onCommit={(text) => (text.trim() === '' ? unset(textPlace) : set(textPlace, text))} />
      {kind === 'choice' && (
        <TypedText label={a.choices} value={row.choices.join('\n')} lines onCommit={(text) => set(below(place, 'enum'), linesOf(text))} />
      )}
      <label className="row t13">
        <input
          type="checkbox"
          className="check"
          checked={required}
          onChange={({ target: { checked } }) => set(pointer, (now) => changedRow(now, name, { required: checked }) ?? {})}
        />
        {requiredLabel}
      </label>
    </div>
  )
}
