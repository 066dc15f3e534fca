import type { JsonValue } from '@millrace/contract'
import { inputSkeleton } from '@millrace/dsl/reads'
import { InputError, readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { fieldsOfSchema, readFields, type SchemaField, shownOf, withoutField } from '#src/forms/schema-fields.ts'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { type InputRead, NotGiven, readsNotInText } from '#src/run-input/not-given.tsx'
import { useRequirements } from '#src/run-input/use-requirements.ts'
import { NextTimes, type Schedule, ZoneProblem } from '#src/starts/next-times.tsx'
import { ownZone } from '#src/session/own-zone.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'
import { type ClockFields, clockOf, cronOf, type Repeat, repeats, weekdays } from '#src/starts/clock-cron.ts'
import { capitalized, dayNames, scheduleWords } from '#src/starts/schedule-words.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { localTime, withoutZeroSeconds } from '#src/values/local-time.ts'

const overlaps = ['allow', 'skip', 'queue', 'cancel'] as const
const missed = ['once', 'skip', 'all'] as const
const modes = ['cron', 'every', 'after', 'rrule', 'at'] as const
const often = '0 9 * * MON-FRI'

interface Values extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly mode: string
  readonly repeat: Repeat
  readonly time: string
  readonly days: readonly string[]
  readonly date: string
  /** An expression of one's own. */
  readonly cron: string
  /** The name that the form gave it. */
  readonly given: string
  readonly every: string
  readonly after: string
  readonly rrule: string
  readonly start: string
  readonly at: string
  readonly timeZone: string
  readonly overlap: string
  readonly missed: string
  readonly input: string
}

/**
 * A schedule by a cron expression, an interval, a rule or a date, with the next times that the server computes, and the input that its executions get: a
 * field for each member of the input schema of the workflow, or JSON.
 */
export function ScheduleForm(props: StartFormProps) {
  const { schema, reads, isPending } = useRequirements(props.workflow)
  return isPending ? <Skeleton rows={5} /> : <FormWithInput {...props} schema={schema} reads={reads} />
}

interface InputProps {
  readonly schema: unknown
  /** What a workflow without a schema reads. */
  readonly reads: readonly InputRead[]
}

function FormWithInput({ workflow, trigger, done, schema, reads }: StartFormProps & InputProps) {
  const s = m.starts
  const inputs = fieldsFor(trigger, schema)
  return (
    <DataForm
      initial={initialOf(trigger, inputs, reads)}
      fields={(values) => [
        { name: 'name', label: m.workflows.name, required: true },
        { name: 'mode', label: m.starting.mode, kind: 'select', options: Object.entries(m.starting.modes) },
        ...whenFields(values),
        { name: 'timeZone', label: s.zone, required: true, hint: <ZoneProblem schedule={scheduleOf(values)} /> },
        { name: 'overlap', label: m.starting.overlap, kind: 'select', options: overlaps.map((key) => [key, m.starting.overlaps[key]]) },
        { name: 'missed', label: m.starting.missed, kind: 'select', options: missed.map((key) => [key, m.starting.missedTimes[key]]) },
        ...(inputs.length > 0
          ? inputs.map((field, index) => ({ ...field, name: keyOf(field.name), ...(index === 0 ? { heading: m.run.input } : {}) }))
          : [jsonInput(values, reads, trigger?.mapping ?? undefined)]),
      ]}
      send={async (values) => {
        if (values.mode === 'cron' && cronOf(values, values.cron) === undefined)
          throw new FieldProblems({ [values.repeat === 'weekly' ? 'days' : 'date']: m.schemaForm.needed })
        const schedule = scheduleOf(values, trigger?.schedule ?? undefined)
        await saveStart(
          { workflow, trigger },
          { kind: 'schedule', name: values.name, settings: { schedule }, input: inputOf(inputs, values, trigger?.input) },
        )
        await done()
      }}
      label={trigger === undefined ? s.add : m.common.save}
      derive={(values) => {
        const given = nameOf(values)
        // An expression of one's own begins with what the fields said. A name that a person wrote stays.
        const cron = cronOf(values, values.cron) ?? values.cron
        return { ...values, cron, given, ...(values.name === values.given ? { name: given } : {}) }
      }}
    />
  )
}

/** The fields of the input; none where JSON shows it: if a mapping reads it, or it is no object. */
function fieldsFor(trigger: Trigger | undefined, schema: unknown): readonly SchemaField[] {
  const { input = null, mapping = null } = trigger ?? {}
  const isObject = typeof input === 'object' && !Array.isArray(input)
  return mapping === null && isObject ? fieldsOfSchema(schema) : []
}

/** The fields of a new schedule, or of one that is changed. */
function initialOf(trigger: Trigger | undefined, inputs: readonly SchemaField[], reads: readonly InputRead[]): Values {
  const {
    cron,
    every,
    after,
    rrule,
    start,
    at,
    timeZone = ownZone(),
    overlap = 'allow',
    missed: late = 'once',
  } = trigger?.schedule ?? { cron: often }
  const clock = clockOf(cron ?? often)
  const given = nameOf({ mode: 'cron', cron: '', ...clock })
  // A new schedule begins with what the workflow needs.
  const needed = reads.filter((read) => read.needed)
  const input = trigger?.input ?? (trigger === undefined && needed.length > 0 ? inputSkeleton(needed) : null)
  return {
    ...Object.fromEntries(Object.entries(shownOf(inputs, input)).map(([name, value]) => [keyOf(name), value])),
    name: trigger?.name ?? given,
    given,
    mode: modes.find((mode) => trigger?.schedule?.[mode] !== undefined) ?? 'cron',
    ...clock,
    cron: cron ?? often,
    every: every ?? 'PT15M',
    after: after ?? 'PT15M',
    rrule: rrule ?? 'FREQ=MONTHLY;BYDAY=-1FR',
    start: start === undefined ? tomorrowAtNine() : withoutZeroSeconds(start),
    at: at === undefined ? tomorrowAtNine() : withoutZeroSeconds(at),
    timeZone,
    overlap,
    missed: late,
    input: inputs.length > 0 || input === null ? '' : JSON.stringify(input, undefined, 2),
  }
}

/** The key of a member of the input among the values of the form. */
const keyOf = (name: string) => `input.${name}`

/** The input as JSON, with what the workflow needs and does not get; a mapping makes something else of it. */
function jsonInput({ input }: Values, reads: readonly InputRead[], mapping: string | undefined): FieldSpec {
  const lacking = mapping === undefined ? readsNotInText(reads, input.trim() === '' ? dueData : input) : []
  const hint = (
    <>
      {m.starting.scheduleInputHint} <NotGiven reads={lacking} by="start" />
    </>
  )
  return { name: 'input', label: m.run.input, kind: 'code', rows: 4, hint, advanced: !reads.some(({ needed }) => needed) }
}

/** Has the members of what a run gets without an input: the time that was due. */
const dueData = '{"dueAt":"","localTime":"","timeZone":""}'

/** What was filled in; null for nothing: then the workflow gets the time that was due. Throws `FieldProblems`. */
function inputOf(inputs: readonly SchemaField[], values: Values, before: JsonValue | undefined): JsonValue {
  if (inputs.length === 0) {
    const text = values.input.trim()
    return text === '' ? null : jsonOf(text)
  }
  const { value, problems } = readFields(inputs, Object.fromEntries(inputs.map(({ name }) => [name, values[keyOf(name)]])))
  const found = Object.entries(problems).map(([name, problem]) => [keyOf(name), problem])
  if (found.length > 0) throw new FieldProblems(Object.fromEntries(found))
  // What the fields do not show stays.
  const whole = { ...withoutField(inputs, before), ...value }
  return Object.keys(whole).length === 0 ? null : whole
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
  // It has no due times before the run has ended.
  if (values.mode === 'after') return [{ name: 'after', label: m.starting.after, required: true, hint: m.starting.everyHint }]
  if (values.mode === 'at') return [{ name: 'at', label: m.starting.at, kind: 'date', required: true, hint }]
  if (values.mode === 'rrule')
    return [
      { name: 'rrule', label: m.starting.rrule, required: true, hint },
      { name: 'start', label: m.starting.start, kind: 'date', required: true },
    ]
  const fields: readonly FieldSpec[] = [
    { name: 'repeat', label: s.repeat, kind: 'select', options: repeats.map((key) => [key, s.repeats[key]]) },
    ...clockFields(values),
  ]
  // The next times stand below the last of them.
  return fields.map((field, index) => (index === fields.length - 1 ? { ...field, hint } : field))
}

/** What says when, beside how often. */
function clockFields({ repeat }: Values): readonly FieldSpec[] {
  const s = m.starts
  const time: FieldSpec = { name: 'time', label: s.time, kind: 'time', required: true }
  switch (repeat) {
    case 'own':
      return [{ name: 'cron', label: s.cron, required: true }]
    case 'weekly':
      return [{ name: 'days', label: s.days, kind: 'checks', options: dayOptions() }, time]
    case 'monthly':
      return [{ name: 'date', label: s.date, kind: 'number', required: true }, time]
    case 'workdays':
    case 'daily':
      return [time]
    case 'hourly':
    case 'quarterly':
      return []
  }
}

/** From Monday to Sunday. */
function dayOptions(): readonly (readonly [string, string])[] {
  const names = dayNames([1, 2, 3, 4, 5, 6, 7], m.schedules)
  return weekdays.map((day, index) => [day, names[index] ?? day])
}

function Hint({ text, times }: { readonly text: string; readonly times: React.ReactNode }) {
  return (
    <>
      {text} {times}
    </>
  )
}

function scheduleOf(values: Values, before?: Schedule): Schedule {
  const { mode, every, after, rrule, start, at, timeZone, overlap, missed: late } = values
  const kept = before?.missedMax === undefined ? {} : { missedMax: before.missedMax }
  const common = { timeZone, overlap: oneOf(overlaps, overlap), missed: oneOf(missed, late), ...kept }
  if (mode === 'after') return { ...common, after }
  // The interval is counted from where it was.
  if (mode === 'every') return { ...common, every, ...(before?.from === undefined ? {} : { from: before.from }) }
  if (mode === 'rrule') return { ...common, rrule, start: toSeconds(start) }
  return mode === 'at' ? { ...common, at: toSeconds(at) } : { ...common, cron: cronOf(values, values.cron) ?? '' }
}

/** A field for date and time leaves out seconds that are zero. */
const toSeconds = (local: string) => (/T\d\d:\d\d$/.test(local) ? `${local}:00` : local)

function oneOf<T extends string>(all: readonly [T, ...T[]], value: string): T {
  return all.find((one) => one === value) ?? all[0]
}

function tomorrowAtNine(): string {
  return `${localTime(new Date(Date.now() + 86_400_000).toISOString()).slice(0, 10)}T09:00`
}

/** The name of a schedule until a person writes one: its time, if that is usual. */
function nameOf({ mode, ...values }: ClockFields & { readonly mode: string; readonly cron: string }): string {
  const cron = mode === 'cron' ? cronOf(values, values.cron) : undefined
  return capitalized((cron && scheduleWords({ cron }, m.schedules)) ?? m.starts.schedule)
}
