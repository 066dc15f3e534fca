import { below, freeName, jsonAt } from '#src/document/task-json.ts'
import { askedFields, type AskedField, askedKinds, changedField, schemaOf, withField } from '#src/editor/inspector/approve/asked-fields.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { KeyField } from '#src/editor/inspector/rows-field.tsx'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { linesOf, TypedText } from '#src/editor/inspector/typed-text.tsx'
import { useRowKeys } from '#src/editor/inspector/use-row-keys.ts'
import { YamlField } from '#src/editor/inspector/yaml-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** What approvers choose or fill in beside their yes or no: rows, or YAML where the schema says more. */
export function AskedForm({ pointer }: { readonly pointer: string }) {
  const a = m.approvalStep
  const { json, set } = useForm()
  const value = jsonAt(json, pointer)
  const fields = askedFields(value)
  const names = fields?.map(({ name }) => name) ?? []
  const keys = useRowKeys(names)
  const add = (field: AskedField) =>
    set(pointer, (now) =>
      withField(now, {
        ...field,
        name: freeName(
          field.name,
          (askedFields(now) ?? []).map(({ name }) => name),
        ),
      }),
    )
  return (
    <StepField name="form" label={a.form} pointer={pointer} hint={a.formHint}>
      {fields === undefined ? (
        <YamlField label={a.form} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
      ) : (
        <div className="rows-field">
          {fields.map((field, index) => (
            <Row key={keys[index]} field={field} form={pointer} names={names} />
          ))}
          <div className="row wrap">
            <Button
              size="sm"
              icon="plus"
              onClick={() => add({ name: 'choice', title: '', kind: 'choice', choices: a.newChoices, required: true })}
            >
              {a.addChoice}
            </Button>
            <Button size="sm" icon="plus" onClick={() => add({ name: 'field', title: '', kind: 'text', choices: [], required: false })}>
              {a.addField}
            </Button>
          </div>
        </div>
      )}
    </StepField>
  )
}

function Row({ field, form, names }: { readonly field: AskedField; readonly form: string; readonly names: readonly string[] }) {
  const a = m.approvalStep
  const f = m.flowEditor.fields
  const { set, unset } = useForm()
  const { name, kind, required } = field
  const place = below(below(form, 'properties'), name)
  const rename = (next: string) => {
    if (next === '' || names.includes(next)) return
    set(form, (now) => changedField(now, name, { name: next }) ?? {}, { from: place, to: below(below(form, 'properties'), next) })
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
            const next = askedKinds.find((one) => one === target.value) ?? 'text'
            set(place, schemaOf({ ...field, kind: next, choices: next === 'choice' ? a.newChoices : [] }))
          }}
        >
          {askedKinds.map((one) => (
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
            if (names.length === 1) unset(form)
            else set(form, (now) => changedField(now, name, undefined) ?? {})
          }}
        />
      </div>
      <TypedText
        label={a.question}
        value={field.title}
        onCommit={(title) => (title.trim() === '' ? unset(below(place, 'title')) : set(below(place, 'title'), title))}
      />
      {kind === 'choice' && (
        <TypedText label={a.choices} value={field.choices.join('\n')} lines onCommit={(text) => set(below(place, 'enum'), linesOf(text))} />
      )}
      <label className="row t13">
        <input
          type="checkbox"
          className="check"
          checked={required}
          onChange={({ target: { checked } }) => set(form, (now) => changedField(now, name, { required: checked }) ?? {})}
        />
        {a.mustAnswer}
      </label>
    </div>
  )
}
