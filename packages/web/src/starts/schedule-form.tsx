import type { JsonValue } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { InputError, readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { fieldsOfSchema, readFields, type SchemaField, shownOf } from '#src/forms/schema-fields.ts'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { useInputSchema } from '#src/run-input/use-input-schema.ts'
import { NextTimes, type Schedule } from '#src/starts/next-times.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const overlaps = ['allow', 'skip', 'queue', 'cancel'] as const
const missed = ['once', 'skip', 'all'] as const

interface Values extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly mode: string
  readonly preset: string
  readonly cron: string
  readonly every: string
  readonly rrule: string
  readonly start: string
  readonly at: string
  readonly timeZone: string
  readonly overlap: string
  readonly missed: string
  readonly input: string
}

interface ScheduleFormProps {
  readonly workflow: string
  readonly done: () => void
}

/**
 * A schedule by a cron expression, an interval, a rule or a date, with the next times that the server computes, and the input that its executions get: a
 * field for each member of the input schema of the workflow, or JSON.
 */
export function ScheduleForm({ workflow, done }: ScheduleFormProps) {
  const { schema, isPending } = useInputSchema(workflow)
  return isPending ? <Skeleton rows={5} /> : <FormWithInput workflow={workflow} done={done} schema={schema} />
}

function FormWithInput({ workflow, done, schema }: ScheduleFormProps & { readonly schema: unknown }) {
  const s = m.starts
  const inputs = fieldsOfSchema(schema)
  const initial: Values = {
    ...Object.fromEntries(Object.entries(shownOf(inputs, {})).map(([name, value]) => [keyOf(name), value])),
    input: '',
    name: nameOf('0 9 * * MON-FRI'),
    mode: 'cron',
    preset: '0 9 * * MON-FRI',
    cron: '0 9 * * MON-FRI',
    every: 'PT15M',
    rrule: 'FREQ=MONTHLY;BYDAY=-1FR',
    start: localTime(1),
    at: localTime(1),
    timeZone: zone,
    overlap: 'allow',
    missed: 'once',
  }
  return (
    <DataForm
      initial={initial}
      fields={(values) => [
        { name: 'name', label: m.workflows.name, required: true },
        { name: 'mode', label: m.starting.mode, kind: 'select', options: Object.entries(m.starting.modes) },
        ...whenFields(values),
        { name: 'timeZone', label: s.zone, required: true },
        { name: 'overlap', label: m.starting.overlap, kind: 'select', options: overlaps.map((key) => [key, m.starting.overlaps[key]]) },
        { name: 'missed', label: m.starting.missed, kind: 'select', options: missed.map((key) => [key, m.starting.missedTimes[key]]) },
        ...(inputs.length > 0
          ? inputs.map((field, index) => ({ ...field, name: keyOf(field.name), ...(index === 0 ? { heading: m.run.input } : {}) }))
          : [jsonInput()]),
      ]}
      send={async (values) => {
        const input = inputOf(inputs, values)
        const body = { workflowId: workflow, name: values.name, schedule: scheduleOf(values), ...(input === undefined ? {} : { input }) }
        await api.triggers.createSchedule({ body })
        done()
      }}
      label={s.add}
      derive={(values, name) => {
        const next = cronAfter(values, name)
        // A name that a person wrote stays.
        const isWritten = name === 'name' || ![s.schedule, ...s.presets.map(([cron]) => nameOf(cron))].includes(values.name)
        return isWritten ? next : { ...next, name: nameOf(next.mode === 'cron' ? next.cron : '') }
      }}
    />
  )
}

/** The key of a member of the input among the values of the form. */
const keyOf = (name: string) => `input.${name}`

const jsonInput = (): FieldSpec => ({
  name: 'input',
  label: m.run.input,
  kind: 'code',
  rows: 4,
  hint: m.starting.scheduleInputHint,
  advanced: true,
})

/** What was filled in; undefined for nothing: then the workflow gets the time that was due. Throws `FieldProblems`. */
function inputOf(inputs: readonly SchemaField[], values: Values): JsonValue | undefined {
  if (inputs.length === 0) {
    const text = values.input.trim()
    return text === '' ? undefined : jsonOf(text)
  }
  const { value, problems } = readFields(inputs, Object.fromEntries(inputs.map(({ name }) => [name, values[keyOf(name)]])))
  const found = Object.entries(problems).map(([name, problem]) => [keyOf(name), problem])
  if (found.length > 0) throw new FieldProblems(Object.fromEntries(found))
  return Object.keys(value).length === 0 ? undefined : value
}

function jsonOf(text: string): JsonValue {
  try {
    return readJson(text, m.editor.notJson)
  } catch (error) {
    throw error instanceof InputError ? new FieldProblems({ input: error.message }) : error
  }
}

function whenFields(values: Values): readonly FieldSpec[] {
  const s = m.starts
  const hint = <NextTimes schedule={scheduleOf(values)} />
  if (values.mode === 'every')
    return [{ name: 'every', label: m.starting.every, required: true, hint: <Hint text={m.starting.everyHint} times={hint} /> }]
  if (values.mode === 'at') return [{ name: 'at', label: m.starting.at, kind: 'date', required: true, hint }]
  if (values.mode === 'rrule')
    return [
      { name: 'rrule', label: m.starting.rrule, required: true, hint },
      { name: 'start', label: m.starting.start, kind: 'date', required: true },
    ]
  return [
    { name: 'preset', label: s.preset, kind: 'select', options: [['', s.own], ...s.presets] },
    { name: 'cron', label: s.cron, required: true, hint },
  ]
}

function Hint({ text, times }: { readonly text: string; readonly times: React.ReactNode }) {
  return (
    <>
      {text} {times}
    </>
  )
}

function scheduleOf({ mode, cron, every, rrule, start, at, timeZone, overlap, missed: late }: Values): Schedule {
  const common = { timeZone, overlap: oneOf(overlaps, overlap), missed: oneOf(missed, late) }
  if (mode === 'every') return { ...common, every }
  if (mode === 'rrule') return { ...common, rrule, start: `${start}:00` }
  return mode === 'at' ? { ...common, at: `${at}:00` } : { ...common, cron }
}

function oneOf<T extends string>(all: readonly [T, ...T[]], value: string): T {
  return all.find((one) => one === value) ?? all[0]
}

/** Nine in the morning, some days from now, as a field of a form wants it. */
function localTime(days: number): string {
  const date = new Date(Date.now() + days * 86_400_000)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}T09:00`
}

/** The expression follows the time that was chosen; another one is no time that is often used. */
function cronAfter(values: Values, changed: string): Values {
  if (changed === 'preset' && values.preset !== '') return { ...values, cron: values.preset }
  return changed === 'cron' && values.preset !== '' ? { ...values, preset: '' } : values
}

/** The name of a schedule until a person writes one: the time, if it is often used. */
function nameOf(cron: string): string {
  const text = m.starts.presets.find(([one]) => one === cron)?.[1] ?? m.starts.schedule
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
