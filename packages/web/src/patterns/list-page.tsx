import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { Page } from '#src/patterns/page.tsx'
import { type Filter, FilterBar } from '#src/patterns/filter-bar.tsx'
import { follows, pageBefore } from '#src/patterns/page-trail.ts'
import type { Boxes } from '#src/patterns/use-selection.tsx'
import { useKeys } from '#src/app/keys.ts'
import { usePolling } from '#src/app/live-changes.ts'
import { Empty } from '#src/ui/empty.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

export interface Column<T> {
  readonly head: string
  /** Of a list that a person sorts: what the head shows in place of its text, and the order of the rows by this column. */
  readonly sort?: { readonly control: ReactNode; readonly order: 'ascending' | 'descending' | 'none' }
  readonly cell: (row: T) => ReactNode
  /** Numbers and times stand at the inline end. */
  readonly end?: boolean
  /** The place of the cell on a phone, where a row has up to three lines; hidden unless given. `below-next` has the room that a short `below` leaves, and `end` is beside the first two lines. */
  readonly phone?: 'main' | 'side' | 'below' | 'below-next' | 'below-side' | 'foot' | 'foot-side' | 'end'
  /** Whether its text is cut where the columns have no room; unless given, that of the places `main`, `below`, `below-next` and `foot` is. */
  readonly cut?: boolean
  /** Whether it is left out in a narrow window. */
  readonly spare?: boolean
}

interface Loaded<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
  /** What the reader has to know of this page, such as how far a search has come. */
  readonly note?: string | undefined
}

export interface ListSpec<T> {
  readonly title: string
  readonly lede?: ReactNode
  /** First part of the key of the query; the search of the URL is the second. */
  readonly name: string
  readonly load: (query: Readonly<Record<string, string>>) => Promise<Loaded<T>>
  readonly columns: readonly Column<T>[]
  /** Replaces the table, as in a gallery. */
  readonly body?: (rows: readonly T[]) => ReactNode
  readonly id: (row: T) => string
  readonly href?: (row: T) => string
  /** Shows a row whose list has no page for it. */
  readonly onOpen?: (row: T) => void
  readonly filters?: readonly Filter[]
  /** What follows the filters, such as a period. */
  readonly moreFilters?: ReactNode
  readonly actions?: ReactNode
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode }
  readonly above?: ReactNode
  readonly below?: ReactNode
  /** Boxes that select rows, before the first column. On a phone they are shown when a person asks for them. */
  readonly leading?: Boxes<T>
  /** Gets the rows that are shown, also those that were read before the page was opened. */
  readonly onRows?: (rows: readonly T[]) => void
  /** How often the list is read again while changes of the account do not arrive by themselves. */
  readonly refreshMs?: number
}

/** A list: filters and cursor in the URL, one page in memory, rows by keyboard. */
export function ListPage<T>(spec: ListSpec<T>) {
  // The tab and the step of a page around the list are no filters of it.
  const { tab: _tab, at: _at, ...search }: Readonly<Record<string, string>> = useSearch({ strict: false })
  const refetchInterval = usePolling(spec.refreshMs)
  const [isChoosing, setChoosing] = useState(false)
  const query = useQuery({
    queryKey: [spec.name, search],
    queryFn: () => spec.load(search),
    placeholderData: keepPreviousData,
    // Of a list that a person walks through, one page is in memory however long the list is.
    ...(search['cursor'] === undefined ? {} : { gcTime: 0 }),
    refetchInterval,
  })
  const { data } = query
  useLayoutEffect(() => data && spec.onRows?.(data.data), [data])
  const filtered = Object.keys(search).some((key) => key !== 'cursor' && key !== 'limit')
  const rows = query.data?.data ?? []
  return (
    <Page title={spec.title} lede={spec.lede} actions={spec.actions} wide>
      {spec.above}
      {spec.filters !== undefined && (rows.length > 0 || filtered || query.isPlaceholderData) && (
        <FilterBar filters={spec.filters} search={search}>
          {spec.moreFilters}
          {spec.leading !== undefined && (
            <Button
              className="phone-only"
              onClick={() => {
                if (isChoosing) spec.leading?.clear()
                setChoosing(!isChoosing)
              }}
            >
              {isChoosing ? m.common.done : m.bulk.choose}
            </Button>
          )}
        </FilterBar>
      )}
      {query.isPending && <Skeleton />}
      {query.isError && <ProblemPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && query.data.note !== undefined && (
        <p className="i2" role="status">
          {query.data.note}
        </p>
      )}
      {query.isSuccess && rows.length === 0 && query.data.note === undefined && (filtered ? <NothingMatches /> : <Empty {...spec.empty} />)}
      {rows.length > 0 && (spec.body?.(rows) ?? <Rows spec={spec} rows={rows} stale={query.isPlaceholderData} isChoosing={isChoosing} />)}
      {query.isSuccess && <Pager search={search} next={query.data.nextCursor} />}
      {spec.below}
    </Page>
  )
}

function NothingMatches() {
  const navigate = useNavigate()
  return (
    <Empty
      title={m.lists.noMatch}
      text={m.lists.noMatchText}
      action={
        <button type="button" className="btn" onClick={() => void navigate({ to: '.', search: {} })}>
          {m.lists.clear}
        </button>
      }
    />
  )
}

/** The rows themselves; usable without the page. */
export function Rows<T>({
  spec,
  rows,
  stale = false,
  isChoosing = false,
}: {
  readonly spec: Pick<ListSpec<T>, 'columns' | 'id' | 'href' | 'onOpen' | 'title' | 'leading'>
  readonly rows: readonly T[]
  readonly stale?: boolean
  readonly isChoosing?: boolean
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  useKeys({ j: () => moveFocus(body.current, 1), k: () => moveFocus(body.current, -1) })
  return (
    <section className={isChoosing ? 'panel tablewrap choosing' : 'panel tablewrap'} aria-busy={stale || undefined}>
      <table className="rows">
        <caption className="vh">{spec.title}</caption>
        <thead>
          <tr>
            {spec.leading !== undefined && <th scope="col">{spec.leading.head}</th>}
            {spec.columns.map((column) => (
              <th key={column.head} scope="col" className={classOf(column)} aria-sort={column.sort?.order}>
                {column.sort?.control ?? column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onMouseMove={showCutText}>
          {rows.map((row) => (
            <tr key={spec.id(row)}>
              {spec.leading !== undefined && (
                <td className="lead-cell" data-phone="lead">
                  {spec.leading.cell(row)}
                </td>
              )}
              {spec.columns.map((column, index) => (
                <td key={column.head} className={classOf(column)} data-phone={column.phone}>
                  <Cell isCut={isCut(column)}>
                    {index === 0 ? <Opener spec={spec} row={row} content={column.cell(row)} /> : column.cell(row)}
                  </Cell>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The first cell of a row, which shows the thing that the row stands for. */
function Opener<T>({
  spec: { href, onOpen },
  row,
  content,
}: {
  readonly spec: Pick<ListSpec<T>, 'href' | 'onOpen'>
  readonly row: T
  readonly content: ReactNode
}) {
  if (href !== undefined)
    return (
      <Link to={href(row)} className="row-link">
        {content}
      </Link>
    )
  if (onOpen === undefined) return content
  return (
    <button type="button" className="row-link" onClick={() => onOpen(row)}>
      {content}
    </button>
  )
}

const cutPlaces: ReadonlySet<string | undefined> = new Set(['main', 'below', 'below-next', 'foot'])

function isCut<T>({ cut, end, phone }: Column<T>): boolean {
  return cut ?? (end !== true && cutPlaces.has(phone))
}

function classOf<T>(column: Column<T>): string {
  return `${column.end === true ? 'end-a' : ''} ${isCut(column) ? 'cut-cell' : ''} ${column.spare === true ? 'spare' : ''}`
}

/** A cell whose text is cut asks for no width: the table gives it what the other columns leave, at most as much as the text needs. */
function Cell({ isCut: cut, children }: { readonly isCut: boolean; readonly children: ReactNode }) {
  if (!cut) return children
  return (
    <div className="cut">
      <div>{children}</div>
    </div>
  )
}

/** Names a row by the whole text of the cell at the pointer while that is cut. The link of a row lies over all its cells, so the row has the title. */
function showCutText({ target, clientX }: MouseEvent): void {
  const row = target instanceof Element ? target.closest('tr') : null
  const cell = [...(row?.cells ?? [])].find((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left <= clientX && clientX < right
  })
  if (row === null || cell === undefined) return
  const parts = [...cell.querySelectorAll('*')]
  const isShort = parts.some((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow === 'ellipsis')
  row.title = isShort ? cell.innerText : ''
}

function moveFocus(body: HTMLElement | null, step: 1 | -1): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('.row-link, tr button') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}

function Pager({ search, next }: { readonly search: Readonly<Record<string, string>>; readonly next: string | null }) {
  const navigate = useNavigate()
  const { cursor } = search
  const show = (page: string | undefined) => void navigate({ to: '.', search: (now: object) => ({ ...now, cursor: page }) })
  if (next === null && cursor === undefined) return null
  const older = () => {
    if (next === null) return
    follows(next, cursor)
    show(next)
  }
  return (
    <nav className="row pagerow" aria-label={m.lists.pages}>
      <span className="sp" />
      <IconButton
        icon="prev"
        label={m.lists.newer}
        look="plain"
        size="sm"
        onClick={() => show(pageBefore(cursor))}
        disabled={cursor === undefined}
      />
      <IconButton icon="next" label={m.lists.older} look="plain" size="sm" onClick={older} disabled={next === null} />
    </nav>
  )
}
