import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ErasureForm } from '#src/pages/trust/erasure-form.tsx'
import { pollMs, Receipt, tones } from '#src/pages/trust/erasure-receipt.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Time } from '#src/ui/time.tsx'
import { number } from '#src/values/format.ts'

const sum = (parts: readonly { readonly records: number }[]) => parts.reduce((all, { records }) => all + records, 0)

/** Erasures of persons, each with its receipt. */
export function Erasures() {
  const e = m.erasures
  const queries = useQueryClient()
  const people = usePeople()
  const { open, sheet } = useSheet()
  const query = useQuery({
    queryKey: ['erasures'],
    queryFn: () => api.erasures.list({ query: { limit: 100 } }),
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state !== 'done') === true ? pollMs : false),
  })
  const show = (id: string) => open(e.receipt, () => <Receipt id={id} />)
  const create = (
    <Button
      look="primary"
      icon="plus"
      onClick={() =>
        open(e.start, () => (
          <ErasureForm
            done={({ id }) => {
              void queries.invalidateQueries({ queryKey: ['erasures'] })
              setTimeout(() => show(id))
            }}
          />
        ))
      }
    >
      {e.start}
    </Button>
  )
  return (
    <>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={e.emptyTitle} text={e.emptyText} action={create} />
          ) : (
            <>
              <div className="row between">
                <p className="i2">{e.text}</p>
                {create}
              </div>
              <Rows
                rows={data}
                spec={{
                  title: e.title,
                  id: ({ id }) => id,
                  columns: [
                    {
                      head: e.requested,
                      phone: 'main',
                      cell: ({ id, requestedAt }) => (
                        <button type="button" className="link" onClick={() => show(id)}>
                          <Time at={requestedAt} />
                        </button>
                      ),
                    },
                    { head: e.state, phone: 'side', cell: ({ state }) => <Badge tone={tones[state]}>{e.states[state]}</Badge> },
                    { head: e.reason, phone: 'below', cell: ({ reason }) => <span className="i2">{reason ?? ''}</span> },
                    { head: e.by, cell: ({ requestedBy }) => <span className="i2">{people.get(requestedBy) ?? requestedBy}</span> },
                    {
                      head: e.erasedCount,
                      end: true,
                      phone: 'below-side',
                      cell: ({ erased }) => <span className="num">{number(sum(erased))}</span>,
                    },
                    { head: e.keptCount, end: true, cell: ({ kept }) => <span className="num i2">{number(sum(kept))}</span> },
                  ],
                }}
              />
            </>
          )
        }
      </Loaded>
      {sheet}
    </>
  )
}
