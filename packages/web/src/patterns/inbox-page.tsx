import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useKeys } from '#src/app/keys.ts'
import { usePolling } from '#src/app/live-changes.ts'
import { type Filter, FilterBar } from '#src/patterns/filter-bar.tsx'
import { Page } from '#src/patterns/page.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The place of a case in its queue. */
export interface CasePlace {
  /** Whether it has left the queue while it was looked at. */
  readonly isGone: boolean
  /** Shows the first one of the queue; undefined where the queue is empty. */
  readonly next: (() => void) | undefined
  /** The reader has dealt with it: the next one takes its place. */
  readonly done: () => void
}

interface InboxSpec<T> {
  readonly title: string
  readonly lede?: ReactNode
  readonly name: string
  readonly load: (query: Readonly<Record<string, string>>) => Promise<{ readonly data: readonly T[] }>
  readonly id: (item: T) => string
  readonly row: (item: T) => ReactNode
  readonly detail: (item: T, place: CasePlace) => ReactNode
  /** Whether a case that leaves the queue without the reader's doing stays in sight. */
  readonly keepsGone?: boolean
  readonly filters?: readonly Filter[]
  /** Whether the filters stay above an empty queue. */
  readonly alwaysFilters?: boolean
  readonly actions?: (items: readonly T[]) => ReactNode
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode }
  readonly refreshMs?: number
}

/** A queue at the inline start, the chosen case beside it; when the reader is done with a case, the next one takes its place. */
export function InboxPage<T>(spec: InboxSpec<T>) {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const queue = JSON.stringify(search)
  // What was shown last, in the queue with these filters: the queue may change around it, and may lose it.
  const [shown, setShown] = useState<{ readonly queue: string; readonly item: T }>()
  const [doneWith, setDoneWith] = useState<string>()
  const refetchInterval = usePolling(spec.refreshMs)
  const query = useQuery({
    queryKey: [spec.name, search],
    queryFn: () => spec.load(search),
    refetchInterval,
  })
  const items = query.data?.data ?? []
  const filtered = Object.keys(search).length > 0
  const before = shown?.queue === queue ? shown.item : undefined
  const beforeId = before === undefined ? undefined : spec.id(before)
  const at = items.findIndex((item) => spec.id(item) === beforeId)
  const isGone = spec.keepsGone === true && query.isSuccess && before !== undefined && at === -1 && beforeId !== doneWith
  const current = isGone ? before : (items[at] ?? items[0])
  const show = (item: T) => setShown({ queue, item })
  useEffect(() => {
    if (current !== undefined && current !== before) setShown({ queue, item: current })
  }, [current, before, queue])
  const list = useRef<HTMLUListElement>(null)
  const currentId = current === undefined ? undefined : spec.id(current)
  // What had the focus has gone with the case.
  useEffect(() => {
    if (doneWith === undefined || doneWith === currentId || document.activeElement !== document.body) return
    const next = list.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? document.querySelector('main')
    next?.focus()
  }, [doneWith, currentId])
  const step = (by: 1 | -1) => {
    const next = items[(current === undefined ? -1 : items.indexOf(current)) + by]
    if (next !== undefined) show(next)
  }
  const [first] = items
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
          <ul ref={list} className="panel inbox-queue" aria-label={spec.title}>
            {items.map((item) => (
              <li key={spec.id(item)}>
                <button type="button" className={item === current ? 'on' : ''} aria-current={item === current} onClick={() => show(item)}>
                  {spec.row(item)}
                </button>
              </li>
            ))}
          </ul>
          <div className="inbox-case">
            {spec.detail(current, {
              isGone,
              next: first === undefined ? undefined : () => show(first),
              done: () => setDoneWith(spec.id(current)),
            })}
          </div>
        </div>
      )}
    </Page>
  )
}
