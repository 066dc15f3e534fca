import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { eventOf, kindOptions } from '#src/pages/trust/audit-kinds.ts'
import { words } from '#src/pages/trust/audit-sentence.tsx'
import { actorName, type Names, targetName } from '#src/pages/trust/sentence-of.ts'
import type { Filter } from '#src/patterns/filter-bar.tsx'
import { daysInWords, queryOf } from '#src/patterns/period-filter.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { useMay } from '#src/session/use-may.ts'

type Search = Readonly<Record<string, string>>

const dayMs = 86_400_000

/** What the page and its export are filtered by, in words. */
export function filtersInWords(search: Search, filters: readonly Filter[]): readonly (readonly [string, string])[] {
  const { day } = search
  const days = daysInWords(search)
  return [
    ...filters.flatMap(({ name, label, options }) => {
      const value = search[name]
      return value === undefined ? [] : [[label, options?.find(([key]) => key === value)?.[1] ?? value] as const]
    }),
    ...(days === undefined ? [] : [days]),
    ...(day === undefined ? [] : [[m.auditDays.days, day] as const]),
  ]
}

/** The filters of the operation alone, as of now. */
export function exportedSearch(search: Search): Search {
  const { cursor: _cursor, limit: _limit, ...asked } = searchOf(search)
  return asked
}

const engine = 'system:engine'

/**
 * Text, what was done, by whom, and on what; a person or a thing that is not in the lists once it is chosen in an entry or by a link.
 * @param names of what the entries name.
 */
export function useAuditFilters({ actor, target, event }: Search, names: Names): readonly Filter[] {
  const a = m.audit
  const people = usePeople()
  const workflows = useWorkflows()
  const who = new Map([...people, [engine, a.engine]])
  if (actor !== undefined && !who.has(actor)) who.set(actor, actorName(actor, names, words))
  const what = new Map(workflows)
  if (target !== undefined && !what.has(target)) what.set(target, targetName({ target, details: {} }, names, words) ?? target)
  return [
    { name: 'q', label: m.auditDays.search },
    { name: 'kind', label: a.eventFilter, options: kindOptions(words) },
    { name: 'actor', label: a.actor, options: [...who] },
    { name: 'target', label: a.target, options: [...what] },
    ...(event === undefined ? [] : [{ name: 'event', label: a.event }]),
  ]
}

/** The names of workflows by id, as many as one request has; others are chosen in an entry. */
function useWorkflows(): ReadonlyMap<string, string> {
  const mayRead = useMay('workflows:read')
  const found = useQuery({
    queryKey: ['workflows', 'names-of-audit'],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: () => api.workflows.list({ query: { limit: 100, sort: 'name' } }),
  })
  return new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]))
}

/** The search of the address in the words of the operation: a day of the log as times, in UTC, and of it what is in the period. */
export function searchOf({ day, kind, event, ...search }: Search): Search {
  const asked = eventOf({ kind, event })
  const start = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(start)) return { ...queryOf(search), ...asked }
  const { from, to, ...rest } = queryOf(search)
  return { ...rest, ...asked, from: latest(from, new Date(start).toISOString()), to: earliest(to, new Date(start + dayMs).toISOString()) }
}

/** Times in UTC sort as texts. */
const latest = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other)
const earliest = (one: string | undefined, other: string): string => (one !== undefined && one < other ? one : other)
