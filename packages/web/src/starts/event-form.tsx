import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'

/** A start by events of the bus. */
export function EventForm({ workflow, done }: { readonly workflow: string; readonly done: () => void }) {
  const s = m.starts
  return (
    <DataForm
      initial={{ name: s.event, types: 'com.example.order.placed', mapping: '' }}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'types', label: s.types, kind: 'code', rows: 4, required: true, hint: m.subscriptions.typesHint },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.data', hint: m.starting.mappingHint },
      ]}
      send={async ({ name, types, mapping }) => {
        const map = mapping.trim() === '' ? {} : { mapping: mapping.trim() }
        const event = { types: types.split(/\s+/).filter((type) => type !== '') }
        await api.triggers.create({ body: { workflowId: workflow, kind: 'event', name, event, ...map } })
        done()
      }}
      label={s.add}
    />
  )
}
