import { ClientError } from '@millrace/client'
import type { JsonValue } from '@millrace/contract'
import { inputSkeleton } from '@millrace/dsl/reads'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { InputError } from '#src/api/json.ts'
import { lastInput } from '#src/run-input/last-input.ts'
import { Field } from '#src/forms/field.tsx'
import { fieldsOfSchema, type SchemaField } from '#src/forms/schema-fields.ts'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { exampleOf } from '#src/values/schema-example.ts'
import { type InputRead, NotGiven, readsNotInText } from '#src/run-input/not-given.tsx'
import { inputIn, reshaped, shownAs, type ShownInput, withoutDefaults } from '#src/run-input/shown-input.ts'
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
  /** Whether what is shown at first is what a run had: it gets no defaults and no example, and can be restored. */
  readonly restores?: boolean
  readonly label: string
  /** Whether the button is pressed against the advice of the form. */
  readonly unadvised?: boolean
  readonly start: (input: JsonValue) => Promise<void>
  /** Gets the input after each change; of fields those that have no problem. */
  readonly onTyped?: (input: JsonValue) => void
  /** Above the input. */
  readonly before?: ReactNode
  /** Above the button: what the input leads to; `asText` while it is edited as JSON, in which no field says what is wrong. */
  readonly below?: (asText: boolean) => ReactNode
}

/** The input of a run: a field for each member of its schema, or JSON. */
export function RunForm(props: RunFormProps) {
  const { workflow, schema, reads, given, restores = false, label, unadvised = false, start, onTyped, before, below } = props
  const w = m.runInput
  const fields = fieldsIn(schema, restores)
  const example = exampleOf(schema) ?? inputSkeleton(reads)
  const [origin, setOrigin] = useState<'last' | 'example' | undefined>(() =>
    given !== undefined ? undefined : lastInput(workflow) === undefined ? 'example' : 'last',
  )
  const [shown, setShown] = useState<ShownInput>(() => shownAs(fields, given ?? lastInput(workflow) ?? example, fields.length === 0))
  const [shape, setShape] = useState({ schema, fields })
  // Another version of the workflow was chosen.
  if (JSON.stringify(shape.schema) !== JSON.stringify(schema)) {
    setShape({ schema, fields })
    setShown(reshaped(shape.fields, fields, shown))
  }
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(0)
  const form = useFirstProblem(refused)
  const isText = shown.text !== undefined
  const show = (next: ShownInput) => {
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
        const placed = error instanceof FieldProblems ? placedAt(error, fields, isText) : isText ? {} : faultsOf(error, fields)
        refuse(placed)
        setProblem(Object.keys(placed).length > 0 ? undefined : error instanceof FieldProblems ? new InputError(listed(error)) : error)
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
      {before}
      <p className="t13 i2">{schema === undefined ? w.noSchema : fields.length === 0 ? w.anySchema : w.bySchema}</p>
      <div className="row wrap run-origin">
        {origin === 'last' && <span className="t12 i3">{w.last}</span>}
        {restores && JSON.stringify(inputIn(fields, shown).input) !== JSON.stringify(given) && (
          <Button size="sm" look="quiet" onClick={() => fill(given, undefined)}>
            {w.restore}
          </Button>
        )}
        {!restores && origin !== 'example' && (reads.length > 0 || exampleOf(schema) !== undefined) && (
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
            spec={{ ...field, autoFocus: index === 0 && before === undefined }}
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
          spec={{
            name: 'input',
            label: m.editor.input,
            kind: 'code',
            rows: 14,
            required: true,
            hint: w.jsonHint,
            autoFocus: before === undefined,
          }}
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
        <Button type="submit" look={unadvised ? 'plain' : 'primary'} busy={busy}>
          {label}
        </Button>
      </div>
    </form>
  )
}

/** The fields of an input; for that of a run they show what it had alone. */
function fieldsIn(schema: unknown, restores: boolean): readonly SchemaField[] {
  const fields = fieldsOfSchema(schema).map(withUpload)
  return restores ? withoutDefaults(fields) : fields
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

/** Problems of members at their fields, or all at the text; none where one has no field. */
function placedAt(error: FieldProblems, fields: readonly SchemaField[], isText: boolean): Readonly<Record<string, string>> {
  if (isText) return { input: listed(error) }
  return Object.keys(error.problems).every((name) => fields.some((field) => field.name === name)) ? error.problems : {}
}

function listed({ problems }: FieldProblems): string {
  return Object.entries(problems)
    .map(([name, text]) => (name === '' ? text : `${name}: ${text}`))
    .join(' ')
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
