import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'

type Settings = NonNullable<Trigger['watch']>['settings']

const sources = ['feed', 'mailbox', 'rows', 'objects'] as const
const kindOf = { mailbox: 'imap', rows: 'database', objects: 's3' } as const
const connectionsMax = 100

interface Values extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly source: string
  readonly url: string
  readonly connection: string
  readonly mailbox: string
  readonly table: string
  readonly column: string
  readonly key: string
  readonly prefix: string
  readonly every: string
  readonly first: boolean
  readonly mapping: string
}

/** A start by what is new in a feed, a mailbox, a table or a bucket. */
export function WatchForm({ workflow, trigger, done }: StartFormProps) {
  const s = m.watches
  const connections = useQuery({
    queryKey: ['connections', 'watchable'],
    queryFn: () => api.connections.list({ query: { limit: connectionsMax } }),
  })
  const namesOf = (kind: string) => (connections.data?.data ?? []).filter((one) => one.kind === kind).map(({ name }) => name)
  return (
    <DataForm
      initial={initialOf(trigger)}
      fields={(values) => [
        { name: 'name', label: m.workflows.name, required: true },
        { name: 'source', label: s.source, kind: 'select', options: sources.map((source) => [source, s.sources[source]]) },
        ...sourceFields(sourceOf(values), namesOf),
        { name: 'every', label: s.every, required: true, hint: m.starting.everyHint },
        { name: 'first', label: s.first, kind: 'switch', hint: s.firstHint },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.item', hint: s.mappingHint },
      ]}
      send={async (values) => {
        const { name, mapping } = values
        await saveStart({ workflow, trigger }, { kind: 'watch', name, settings: { watch: settingsOf(values, namesOf) }, mapping })
        await done()
      }}
      label={trigger === undefined ? m.starts.add : m.common.save}
    />
  )
}

/** The fields of a new watch, or of one that is changed. */
function initialOf(trigger: Trigger | undefined): Values {
  const { every = 'PT5M', first, ...place } = trigger?.watch?.settings ?? { source: 'feed' }
  return {
    name: trigger?.name ?? m.watches.watch,
    url: '',
    mailbox: 'INBOX',
    table: '',
    column: 'id',
    prefix: '',
    ...place,
    connection: 'connection' in place ? (place.connection ?? '') : '',
    key: 'key' in place ? (place.key ?? '') : '',
    every,
    first: first === 'all',
    mapping: trigger?.mapping ?? '',
  }
}

function sourceOf({ source }: Pick<Values, 'source'>): (typeof sources)[number] {
  return sources.find((one) => one === source) ?? 'feed'
}

function sourceFields(source: (typeof sources)[number], namesOf: (kind: string) => readonly string[]): readonly FieldSpec[] {
  const s = m.watches
  if (source === 'feed') return [{ name: 'url', label: s.url, kind: 'url', required: true, placeholder: 'https://example.com/news.xml' }]
  const names = namesOf(kindOf[source])
  const connection: FieldSpec = {
    name: 'connection',
    label: s.connection,
    kind: 'select',
    options: names.map((name) => [name, name]),
    ...(names.length === 0 ? { hint: s.noConnection } : {}),
  }
  if (source === 'mailbox') return [connection, { name: 'mailbox', label: s.mailbox, required: true }]
  if (source === 'objects') return [connection, { name: 'prefix', label: s.prefix, placeholder: 'in/' }]
  return [
    connection,
    { name: 'table', label: s.table, required: true, placeholder: 'shop.orders' },
    { name: 'column', label: s.column, required: true, hint: s.columnHint },
    { name: 'key', label: s.key, hint: s.keyHint },
  ]
}

function settingsOf(values: Values, namesOf: (kind: string) => readonly string[]): Settings {
  const source = sourceOf(values)
  const { url, mailbox, table, column, key, prefix, every } = values
  const timing = { every, first: values.first ? ('all' as const) : ('new' as const) }
  if (source === 'feed') return { source, url, ...timing }
  const names = namesOf(kindOf[source])
  // A select shows its first option until another one is chosen.
  const connection = names.includes(values.connection) ? values.connection : (names[0] ?? '')
  if (source === 'mailbox') return { source, connection, mailbox, ...timing }
  if (source === 'objects') return { source, connection, prefix, ...timing }
  return { source, connection, table, column, ...(key === '' ? {} : { key }), ...timing }
}
