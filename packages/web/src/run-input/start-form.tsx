import type { JsonValue } from '@millrace/contract'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { fieldsOfSchema } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'
import { RunForm } from '#src/run-input/run-form.tsx'
import { useRequirements } from '#src/run-input/use-requirements.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface StartFormProps {
  /** The workflow that takes the input as it is given; undefined where a mapping stands between. */
  readonly workflow: string | undefined
  /** What is shown at first. */
  readonly input: JsonValue | null
  /** What the input is as JSON, and what happens without one. */
  readonly hint: string
  readonly label: string
  readonly start: (input: JsonValue | undefined) => Promise<void>
}

/** The input of a start: a field for each member of the input schema of its workflow, or JSON, which can be left out. */
export function StartForm({ workflow, ...props }: StartFormProps) {
  return workflow === undefined ? <JsonForm {...props} /> : <SchemaForm workflow={workflow} {...props} />
}

function SchemaForm({ workflow, ...props }: StartFormProps & { readonly workflow: string }) {
  const { input, label, start } = props
  const { schema, isPending } = useRequirements(workflow)
  if (isPending) return <Skeleton rows={3} />
  // Without the schema the input can be given nevertheless.
  if (fieldsOfSchema(schema).length === 0) return <JsonForm {...props} />
  return <RunForm workflow={workflow} schema={schema} reads={[]} given={input ?? undefined} label={label} start={start} />
}

function JsonForm({ input, hint, label, start }: Omit<StartFormProps, 'workflow'>) {
  return (
    <DataForm
      initial={{ input: input === null ? '' : JSON.stringify(input, undefined, 2) }}
      fields={[{ name: 'input', label: m.run.input, kind: 'code', rows: 8, hint }]}
      send={({ input: text }) => start(text.trim() === '' ? undefined : readJson(text, m.editor.notJson))}
      label={label}
    />
  )
}
