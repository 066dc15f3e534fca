import { ClientError } from '@millrace/client'
import type { JsonValue } from '@millrace/contract'
import { inputSkeleton } from '@millrace/dsl/reads'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { InputError, readJson } from '#src/api/json.ts'
import { lastInput } from '#src/run-input/last-input.ts'
import { Field } from '#src/forms/field.tsx'
import { fieldsOfSchema, readFields, type SchemaField, shownOf, withoutField } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'
import { exampleOf } from '#src/values/schema-example.ts'
import { type InputRead, NotGiven, readsNotInText } from '#src/run-input/not-given.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface RunFormProps {
  readonly workflow: string
  /** JSON Schema of the input; undefined where the workflow has none. */
  readonly schema: unknown
  /** What a definition without a schema reads of its input. */
  readonly reads: readonly InputRead[]
  /** What is shown at first instead of the last input. */
  readonly given?: JsonValue | undefined
  readonly label: string
  readonly start: (input: JsonValue) => Promise<void>
  /** Gets the input after each change; of fields those that have no problem. */
  readonly onTyped?: (input: JsonValue) => void
  /** Above the button: what the input leads to; `asText` while it is edited as JSON, in which no field says what is wrong. */
  readonly below?: (asText: boolean) => ReactNode
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
export function RunForm({ workflow, schema, reads, given, label, start, onTyped, below }: RunFormProps) {
  const w = m.runInput
  const fields = fieldsOfSchema(schema).map(withUpload)
  const example = exampleOf(schema) ?? inputSkeleton(reads)
  const [origin, setOrigin] = useState<'last' | 'example' | undefined>(() =>
    given !== undefined ? undefined : lastInput(workflow) === undefined ? 'example' : 'last',
  )
  const [shown, setShown] = useState<Shown>(() => shownAs(fields, given ?? lastInput(workflow) ?? example, fields.length === 0))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(0)
  const form = useFirstProblem(refused)
  const isText = shown.text !== undefined
  const show = (next: Shown) => {
    setShown(next)
    const { input, problems: found } = inputIn(fields, next)
    if (next.text === undefined || found['input'] === undefined) onTyped?.(input)
  }
  const fill = (value: unknown, from: typeof origin) => {
    show(shownAs(fields, value, isText))
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
        {origin !== 'example' && (reads.length > 0 || exampleOf(schema) !== undefined) && (
          <Button size="sm" look="quiet" onClick={() => fill(example, 'example')}>
            {reads.length > 0 ? w.useReads : w.useExample}
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
      {shown.text === undefined ? (
        fields.map((field, index) => (
          <Field
            key={field.name}
            spec={{ ...field, autoFocus: index === 0 }}
            value={shown.values[field.name]}
            error={problems[field.name]}
            onChange={(value) => {
              show({ ...shown, values: { ...shown.values, [field.name]: value } })
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
            show({ ...shown, text: String(text) })
            setProblems({})
          }}
        />
      )}
      {shown.text !== undefined && <NotGiven reads={readsNotInText(reads, shown.text)} by="input" />}
      {below?.(isText)}
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
