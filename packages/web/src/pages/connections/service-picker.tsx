import { connectionKinds, type groups, type Reply } from '@millrace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '#src/api/client.ts'
import { type Choice, matching, PickList } from '#src/forms/pick-list.tsx'
import { m } from '#src/messages/messages.ts'
import type { Kind } from '#src/pages/connections/connection.ts'
import { useMay } from '#src/session/use-may.ts'
import { Icon, KindIcon } from '#src/ui/icon.tsx'

type Connector = Reply<(typeof groups)['connectors']['list']>['data'][number]

/** What a new connection leads to: a connector, or any service by its kind. */
export type Service = { readonly connector: Connector } | { readonly kind: Kind }

const limit = 100
const staleMs = 60_000

/** Chooses the service of a new connection by its name, or the kind of one that has no connector. */
export function ServicePicker({ onPick }: { readonly onPick: (service: Service) => void }) {
  const k = m.connections
  const [query, setQuery] = useState('')
  const connectors = useConnectors(query)
  const choices: readonly Choice[] = [
    ...connectors.map(({ id, name, title, hosts }) => ({
      key: id,
      title,
      text: hosts.join(', '),
      words: name,
      mark: <KindIcon kind="connector" />,
      group: k.services,
    })),
    ...connectionKinds.map((kind) => ({
      key: `kind ${kind}`,
      title: k.kinds[kind],
      text: k.kindTexts[kind],
      words: kind,
      mark: <Icon name="plug" />,
      group: k.byKind,
    })),
  ]
  const pick = (key: string) => {
    const connector = connectors.find(({ id }) => id === key)
    const kind = connectionKinds.find((one) => key === `kind ${one}`)
    if (connector !== undefined) onPick({ connector })
    else if (kind !== undefined) onPick({ kind })
  }
  return (
    <PickList label={k.findService} choices={matching(choices, query)} query={query} onQuery={setQuery} onPick={pick} none={k.noService} />
  )
}

/** The connectors that lead to a service of HTTP; of more than one page also those that fit a search. */
function useConnectors(query: string): readonly Connector[] {
  const may = useMay('connectors:read')
  const q = useDeferredValue(query.trim())
  const first = useQuery({
    queryKey: ['connectors', 'services'],
    enabled: may,
    staleTime: staleMs,
    queryFn: () => api.connectors.list({ query: { limit } }),
  })
  const isMore = (first.data?.nextCursor ?? null) !== null
  const found = useQuery({
    queryKey: ['connectors', 'services', q],
    enabled: isMore && q.length > 1,
    staleTime: staleMs,
    placeholderData: keepPreviousData,
    queryFn: () => api.connectors.list({ query: { limit, q } }),
  })
  const all = [...(first.data?.data ?? []), ...(found.data?.data ?? [])].filter(({ hosts }) => hosts.length > 0)
  return [...new Map(all.map((one) => [one.id, one])).values()].toSorted((one, other) => one.title.localeCompare(other.title))
}
