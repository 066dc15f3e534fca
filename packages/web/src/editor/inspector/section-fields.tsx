import type { Json } from '@millrace/dsl'
import { below, isObject, jsonAt, taskAt } from '#src/document/task-json.ts'
import { useArgumentFields } from '#src/editor/functions/use-functions.ts'
import { fieldAt, type FieldModel, type Section, taskFields } from '#src/editor/inspector/field-model.ts'
import { FieldControl, Fields } from '#src/editor/inspector/field-view.tsx'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

const ApproveFields = onDemand(() => import('#src/editor/inspector/approve/approve-fields.tsx').then((module) => module.ApproveFields))

const PassedOnField = onDemand(() => import('#src/editor/inspector/passed-on-field.tsx').then((module) => module.PassedOnField))

const ConnectionHint = onDemand(() =>
  import('#src/editor/inspector/connection/connection-hint.tsx').then((module) => module.ConnectionHint),
)

/** What makes data of its own, so that the steps behind it get that unless it passes on what it got. */
const making = ['call', 'run', 'emit', 'listen'] as const

interface SectionFieldsProps {
  readonly json: Json
  readonly entry: DrawnEntry
  readonly section: Section
}

/** The fields of one tab of a step. */
export function SectionFields({ json, entry, section }: SectionFieldsProps) {
  const task = entry.reference
  const args = useArgumentFields(json, task)
  const passedOn = section === 'setup' && makesData(json, task) && <PassedOnField task={task} />
  if (section === 'setup' && asksPeople(json, task))
    return (
      <>
        <ApproveFields task={task} />
        {passedOn}
      </>
    )
  const fields = withArguments(taskFields(json, task)[section], section === 'setup' ? args : undefined, task)
  const cases = section === 'setup' ? casesOf(json, entry) : undefined
  return (
    <>
      {section === 'setup' && jsonAt(json, below(task, 'call')) === 'http' && <ConnectionHint task={task} />}
      {cases !== undefined && <FieldControl field={fieldAt(json, cases)} label={m.flowEditor.ways} />}
      <Fields fields={fields} />
      {passedOn}
    </>
  )
}

function makesData(json: Json, task: string): boolean {
  return jsonAt(json, below(task, 'call')) !== 'respond' && making.some((key) => jsonAt(json, below(task, key)) !== undefined)
}

/** Whether a task is an approval whose arguments are named in it. */
function asksPeople(json: Json, task: string): boolean {
  const args = jsonAt(json, below(task, 'with'))
  return jsonAt(json, below(task, 'call')) === 'approve' && (args === undefined || isObject(args))
}

/** The arguments of a function of a connector instead of a table of names and values. */
function withArguments(fields: readonly FieldModel[], args: readonly FieldModel[] | undefined, task: string): readonly FieldModel[] {
  const place = below(task, 'with')
  return args === undefined ? fields : [...fields.filter(({ pointer }) => pointer !== place && !pointer.startsWith(`${place}/`)), ...args]
}

/** The cases of a switch whose ways are groups of their own. */
function casesOf(json: Json, entry: DrawnEntry): string | undefined {
  if (entry.kind !== 'switch' || jsonAt(json, below(entry.reference, 'switch')) !== undefined) return undefined
  const choose = taskAt(json, below(entry.reference, 'do'), 0)
  return choose === undefined ? undefined : below(choose, 'switch')
}
