import type { groups, Reply } from '@millrace/contract'
import { personCategoryName } from '@millrace/contract/person-categories'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { personWords as arabic } from '#src/messages/ar/persons.ts'
import { personWords as english } from '#src/messages/en/persons.ts'
import { type Column, Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { toastFailure } from '#src/ui/toast-failure.ts'
import { bytes, number } from '#src/values/format.ts'
import { saveFrom } from '#src/values/save-file.ts'

type Report = Reply<(typeof groups)['persons']['report']>

const words = boot.locale === 'ar' ? arabic : english
const tones = { preparing: 'race', ready: 'ok', failed: 'bad', expired: 'off' } as const
const pollMs = 2000

/** Reports about persons with their state, their file and when it is deleted. */
export function PersonReports() {
  const people = usePeople()
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const query = useQuery({
    queryKey: ['person-reports'],
    queryFn: () => api.persons.reports({ query: { limit: 100 } }),
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === 'preparing') === true ? pollMs : false),
  })
  const remove = (report: Report) =>
    confirm(words.remove, words.removeText, async () => {
      await api.persons.deleteReport({ params: { id: report.id } })
      await queries.invalidateQueries({ queryKey: ['person-reports'] })
    })
  const show = (report: Report) => open(words.details, () => <ReportDetails report={report} />)
  return (
    <section className="band">
      <h2 className="t20">{words.reports}</h2>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="i2">{words.noReports}</p>
          ) : (
            <>
              <p className="t13 i2">
                <b className="b">{words.reviewTitle}.</b> {words.review}
              </p>
              <Rows rows={data} spec={{ title: words.reports, id: ({ id }) => id, columns: columnsOf({ people, show, remove }) }} />
            </>
          )
        }
      </Loaded>
      {sheet}
    </section>
  )
}

interface Acts {
  readonly people: ReadonlyMap<string, string>
  readonly show: (report: Report) => void
  readonly remove: (report: Report) => void
}

const columnsOf = ({ people, show, remove }: Acts): readonly Column<Report>[] => [
  {
    head: words.requested,
    phone: 'main',
    cell: (report) => (
      <button type="button" className="link" onClick={() => show(report)}>
        <Time at={report.createdAt} />
      </button>
    ),
  },
  { head: words.state, phone: 'side', cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge> },
  { head: words.note, phone: 'below', cell: ({ note }) => <span className="i2">{note ?? ''}</span> },
  { head: words.by, spare: true, cell: ({ createdBy }) => <span className="i2">{people.get(createdBy) ?? createdBy}</span> },
  { head: words.records, end: true, cell: ({ records }) => <span className="num">{number(sum(records))}</span> },
  {
    head: words.size,
    end: true,
    spare: true,
    cell: ({ bytes: size }) => <span className="num i2">{size === null ? '' : bytes(size)}</span>,
  },
  { head: words.kept, end: true, phone: 'below-side', cell: ({ state, expiresAt }) => (state === 'ready' ? <Time at={expiresAt} /> : '') },
  {
    head: '',
    end: true,
    phone: 'foot',
    cell: (report) => (
      <span className="row">
        {report.state === 'ready' && (
          <Button size="sm" icon="download" onClick={() => void download(report).catch(toastFailure)}>
            {words.download}
          </Button>
        )}
        <Button size="sm" look="quiet" onClick={() => remove(report)}>
          {words.remove}
        </Button>
      </span>
    ),
  },
]

const sum = (parts: readonly { readonly records: number }[]) => parts.reduce((all, { records }) => all + records, 0)

async function download({ id }: Report): Promise<void> {
  const { url } = await api.persons.linkReport({ params: { id } })
  saveFrom(url)
}

/** What a report has, and what a person still has to look into. */
function ReportDetails({ report: { state, failure, records, review } }: { readonly report: Report }) {
  return (
    <>
      <p className="row">
        <Badge tone={tones[state]}>{words.states[state]}</Badge>
      </p>
      {failure !== null && <p className="i2">{failure}</p>}
      <ul className="mini-l">
        {records.map(({ category, records: count }) => (
          <li key={category}>
            <span className="trunc">{personCategoryName(category, boot.locale)}</span>
            <span className="num i2">{number(count)}</span>
          </li>
        ))}
      </ul>
      {review.length > 0 && <h3 className="t14 bb">{words.lookInto}</h3>}
      {review.map(({ kind, count, files }) => (
        <div key={kind}>
          <p className="i2">{words.reviewKinds[kind](count)}</p>
          {files.map(({ id, name }) => (
            <Link key={id} className="blk mono t13" to="/files" search={{ prefix: name }}>
              <bdi>{name}</bdi>
            </Link>
          ))}
        </div>
      ))}
      <p className="t13 i2">{words.review}</p>
    </>
  )
}
