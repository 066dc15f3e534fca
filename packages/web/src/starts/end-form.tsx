import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { endKinds, endOf, endTypes } from '#src/starts/ends.ts'
import { useFirstMapping } from '#src/starts/first-mapping.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** A start by the ends of runs of all workflows, or of chosen ones. */
export function EndForm({ workflow, trigger, done }: StartFormProps) {
  const s = m.ends
  const mapping = useFirstMapping({ workflow, trigger }, '.data', ['data'])
  if (mapping === undefined) return <Skeleton />
  return (
    <DataForm
      initial={{
        name: trigger?.name ?? s.start,
        when: (trigger && endOf(trigger)) ?? 'failed',
        of: trigger?.event?.workflows === undefined ? 'all' : 'chosen',
        workflows: trigger?.event?.workflows ?? ([] as readonly string[]),
        mapping,
      }}
      before={<p className="i2">{s.about}</p>}
      fields={({ of }): readonly FieldSpec[] => [
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'when', label: s.when, kind: 'select', options: endKinds.map((kind) => [kind, s.whens[kind]]) },
        {
          name: 'of',
          label: s.of,
          kind: 'select',
          options: [
            ['all', s.all],
            ['chosen', s.chosen],
          ],
        },
        ...(of === 'chosen' ? [{ name: 'workflows', label: s.workflows, kind: 'workflows', required: true } as const] : []),
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.data', hint: s.mappingHint, advanced: true },
      ]}
      send={async ({ name, when, of, workflows, mapping: map }) => {
        const types = [...endTypes[endKinds.find((kind) => kind === when) ?? 'failed']]
        const event = of === 'chosen' ? { types, workflows: [...workflows] } : { types }
        await saveStart({ workflow, trigger }, { kind: 'event', name, settings: { event }, mapping: map })
        await done()
      }}
      label={trigger === undefined ? m.starts.add : m.common.save}
    />
  )
}
