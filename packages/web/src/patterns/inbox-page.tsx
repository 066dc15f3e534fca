import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useKeys } from '#src/app/keys.ts'
import { usePolling } from '#src/app/live-changes.ts'
import { type Filter, FilterBar } from '#src/patterns/filter-bar.tsx'
import { Page } from '#src/patterns/page.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface InboxSpec<T> {
  readonly title: string
  readonly lede?: ReactNode
  readonly name: string
  readonly load: (query: Readonly<Record<string, string>>) => Promise<{ readonly data: readonly T[] }>
  readonly id: (item: T) => string
  readonly row: (item: T) => ReactNode
  readonly detail: (item: T) => ReactNode
  readonly filters?: readonly Filter[]
  /** Whether the filters stay above an empty queue. */
  readonly alwaysFilters?: boolean
  readonly actions?: (items: readonly T[]) => ReactNode
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode }
  readonly refreshMs?: number
}

/** A queue at the inline start, the chosen case beside it; when a case is done, the next one takes its place. */
export function InboxPage<T>(spec: InboxSpec<T>) {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const [chosen, setChosen] = useState<string>()
  const refetchInterval = usePolling(spec.refreshMs)
  const query = useQuery({
    queryKey: [spec.name, search],
    queryFn: () => spec.load(search),
    refetchInterval,
  })
  const items = query.data?.data ?? []
  const filtered = Object.keys(search).length > 0
  const at = Math.max(
    0,
    items.findIndex((item) => spec.id(item) === chosen),
  )
  const current = items[at]
  const step = (by: 1 | -1) => {
    const next = items[at + by]
    if (next !== undefined) setChosen(spec.id(next))
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
  return (
    <Page title={spec.title} lede={spec.lede} actions={spec.actions?.(items)} wide>
      {spec.filters !== undefined && (items.length > 0 || filtered || spec.alwaysFilters === true) && (
        <FilterBar filters={spec.filters} search={search} />
      )}
      {query.isPending && <Skeleton />}
      {query.isError && <ProblemPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && current === undefined && <Empty {...spec.empty} />}
      {current !== undefined && (
        <div className="inbox">
          <ul className="panel inbox-queue" aria-label={spec.title}>
            {items.map((item) => (
              <li key={spec.id(item)}>
                <button
                  type="button"
                  className={item === current ? 'on' : ''}
                  aria-current={item === current}
                  onClick={() => setChosen(spec.id(item))}
                >
                  {spec.row(item)}
                </button>
              </li>
            ))}
          </ul>
          <div className="inbox-case">{spec.detail(current)}</div>
        </div>
      )}
    </Page>
  )
}
