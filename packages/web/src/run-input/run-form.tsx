import { ClientError } from '@millrace/client'
import type { JsonValue } from '@millrace/contract'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { InputError, readJson } from '#src/api/json.ts'
import { lastInput } from '#src/run-input/last-input.ts'
import { Field } from '#src/forms/field.tsx'
import { exampleOf, fieldsOfSchema, readFields, type SchemaField, shownOf, withoutField } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface RunFormProps {
  readonly workflow: string
  /** JSON Schema of the input; undefined where the workflow has none. */
  readonly schema: unknown
  /** The members of the input that the definition names, for a workflow without a schema. */
  readonly names: readonly string[]
  /** What is shown at first instead of the last input. */
  readonly given?: JsonValue | undefined
  readonly label: string
  readonly start: (input: JsonValue) => Promise<void>
}

interface Shown {
  /** What the fields show. */
  readonly values: Readonly<Record<string, unknown>>
  /** Members of the input that have no field. */
  readonly others: Readonly<Record<string, JsonValue>>
  /** The input as JSON, while it is edited as such. */
  readonly text: string | undefined
}

/** The input of a run: a field for each member of its schema, or JSON. */
export function RunForm({ workflow, schema, names, given, label, start }: RunFormProps) {
  const w = m.runInput
  const fields = fieldsOfSchema(schema).map(withUpload)
  const [origin, setOrigin] = useState<'last' | 'example' | undefined>(() =>
    given !== undefined ? undefined : lastInput(workflow) === undefined ? 'example' : 'last',
  )
  const [shown, setShown] = useState<Shown>(() => shownAs(fields, given ?? lastInput(workflow) ?? example(schema), fields.length === 0))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(0)
  const form = useFirstProblem(refused)
  const isText = shown.text !== undefined
  const fill = (value: unknown, from: typeof origin) => {
    setShown(shownAs(fields, value, isText))
    setOrigin(from)
    setProblems({})
    setProblem(undefined)
  }
  const refuse = (found: Readonly<Record<string, string>>) => {
    setProblems(found)
    if (Object.keys(found).length > 0) setRefused((count) => count + 1)
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const read = inputIn(fields, shown)
    refuse(read.problems)
    setProblem(undefined)
    if (Object.keys(read.problems).length > 0 || busy) return
    setBusy(true)
    start(read.input)
      .catch((error: unknown) => {
        const found = isText ? {} : faultsOf(error, fields)
        refuse(found)
        setProblem(Object.keys(found).length === 0 ? error : undefined)
      })
      .finally(() => setBusy(false))
  }
  const toggle = () => {
    const read = inputIn(fields, shown)
    const broken = isText && read.problems['input'] !== undefined
    setProblems(broken ? read.problems : {})
    if (!broken) setShown(shownAs(fields, read.input, !isText))
  }
  return (
    <form className="form" onSubmit={send} noValidate ref={form}>
      <p className="t13 i2">{schema === undefined ? w.noSchema : fields.length === 0 ? w.anySchema : w.bySchema}</p>
      <div className="row wrap run-origin">
        {origin === 'last' && <span className="t12 i3">{w.last}</span>}
        {origin !== 'example' && exampleOf(schema) !== undefined && (
          <Button size="sm" look="quiet" onClick={() => fill(example(schema), 'example')}>
            {w.useExample}
          </Button>
        )}
        {origin === 'last' && (
          <Button size="sm" look="quiet" onClick={() => fill({}, undefined)}>
            {w.empty}
          </Button>
        )}
        {fields.length > 0 && (
          <Button size="sm" look="quiet" onClick={toggle}>
            {isText ? w.asForm : w.asJson}
          </Button>
        )}
      </div>
      {fields.length === 0 && names.length > 0 && (
        <Names names={names} onPick={(name) => setShown({ ...shown, text: withMember(shown.text ?? '', name) })} />
      )}
      {shown.text === undefined ? (
        fields.map((field, index) => (
          <Field
            key={field.name}
            spec={{ ...field, autoFocus: index === 0 }}
            value={shown.values[field.name]}
            error={problems[field.name]}
            onChange={(value) => {
              setShown({ ...shown, values: { ...shown.values, [field.name]: value } })
              setProblems(({ [field.name]: _gone, ...rest }) => rest)
            }}
          />
        ))
      ) : (
        <Field
          spec={{ name: 'input', label: m.editor.input, kind: 'code', rows: 14, required: true, hint: w.jsonHint, autoFocus: true }}
          value={shown.text}
          error={problems['input']}
          onChange={(text) => {
            setShown({ ...shown, text: String(text) })
            setProblems({})
          }}
        />
      )}
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {label}
        </Button>
      </div>
    </form>
  )
}

/** Moves the focus to the first field with a problem whenever an attempt found some. */
function useFirstProblem(attempt: number) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt])
  return form
}

/** Here a person is signed in, who can upload the file whose name a property has. */
function withUpload(field: SchemaField): SchemaField {
  const { format, contentMediaType } = field.schema
  if (format !== 'file' || field.kind !== 'text') return field
  return { ...field, kind: 'file', ...(typeof contentMediaType === 'string' ? { accept: contentMediaType } : {}) }
}

const example = (schema: unknown) => exampleOf(schema) ?? {}

/** An input in the fields, or as text where it is no object. */
function shownAs(fields: readonly SchemaField[], input: unknown, asText: boolean): Shown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return {
    values: shownOf(fields, input),
    others: withoutField(fields, input),
    text: asText || !isObject ? JSON.stringify(input, undefined, 2) : undefined,
  }
}

/** The input that is shown, with what is wrong in it. */
function inputIn(
  fields: readonly SchemaField[],
  { values, others, text }: Shown,
): { readonly input: JsonValue; readonly problems: Readonly<Record<string, string>> } {
  if (text === undefined) {
    const { value, problems } = readFields(fields, values)
    return { input: { ...others, ...value }, problems }
  }
  try {
    return { input: readJson(text, m.editor.notJson), problems: {} }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { input: null, problems: { input: error.message } }
  }
}

/** What the server found wrong, by the field that it belongs to; the place in it before the words. */
function faultsOf(error: unknown, fields: readonly SchemaField[]): Readonly<Record<string, string>> {
  const parts = error instanceof ClientError ? (error.problem.errors ?? []) : []
  const found: Record<string, string> = {}
  for (const { pointer, detail } of parts) {
    const [, , name = '', ...inside] = pointer.split('/')
    if (!fields.some((field) => field.name === name)) return {}
    found[name] ??= inside.length === 0 ? detail : `${inside.join('/')}: ${detail}`
  }
  return found
}

/** The members that the definition names; a press puts one into the input. */
function Names({ names, onPick }: { readonly names: readonly string[]; readonly onPick: (name: string) => void }) {
  return (
    <div className="row wrap">
      <span className="t12 i2">{m.runInput.reads}</span>
      {names.map((name) => (
        <Button key={name} size="sm" onClick={() => onPick(name)}>
          <bdi className="mono">{name}</bdi>
        </Button>
      ))}
    </div>
  )
}

/** A text of JSON with another member; unchanged if it has the member, or is no object. */
function withMember(text: string, name: string): string {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !Object.hasOwn(value, name) ? JSON.stringify({ ...value, [name]: '' }, undefined, 2) : text
  } catch {
    return text
  }
}
