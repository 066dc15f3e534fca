import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'

/** A start by events of the bus. */
export function EventForm({ workflow, trigger, done }: StartFormProps) {
  const s = m.starts
  return (
    <DataForm
      initial={{
        name: trigger?.name ?? s.event,
        types: trigger?.event?.types.join('\n') ?? 'com.example.order.placed',
        mapping: trigger?.mapping ?? '',
      }}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'types', label: s.types, kind: 'code', rows: 4, required: true, hint: m.subscriptions.typesHint },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.data', hint: m.starting.mappingHint },
      ]}
      send={async ({ name, types, mapping }) => {
        const event = { types: types.split(/\s+/).filter((type) => type !== '') }
        await saveStart({ workflow, trigger }, { kind: 'event', name, settings: { event }, mapping })
        await done()
      }}
      label={trigger === undefined ? s.add : m.common.save}
    />
  )
}
