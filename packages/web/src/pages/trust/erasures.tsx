import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Time } from '#src/ui/time.tsx'
import { number } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

type Erasure = Reply<(typeof groups)['erasures']['get']>

const pollMs = 3000
const tones = { running: 'race', waiting: 'wait', done: 'ok' } as const
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

function ErasureForm({ done }: { readonly done: (erasure: Erasure) => void }) {
  const e = m.erasures
  return (
    <DataForm
      danger
      before={<p className="i2">{e.text}</p>}
      initial={{ values: '', reason: '', sure: false }}
      fields={[
        { name: 'values', label: e.values, hint: e.valuesHint, kind: 'textarea', rows: 5, required: true },
        { name: 'reason', label: e.reason, hint: e.reasonHint },
        { name: 'sure', label: e.cannotUndo, kind: 'switch' },
      ]}
      send={async ({ values, reason, sure }) => {
        if (!sure) throw new FieldProblems({ sure: e.confirmFirst })
        const lines = values
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
        done(await api.erasures.create({ body: { values: lines, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) } }))
      }}
      label={e.act}
    />
  )
}

/** What was erased, and what stays for which reason. */
function Receipt({ id }: { readonly id: string }) {
  const e = m.erasures
  const query = useQuery({
    queryKey: ['erasures', id],
    queryFn: () => api.erasures.get({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollMs),
  })
  return (
    <Loaded query={query}>
      {(erasure) => (
        <>
          <p className="row">
            <Badge tone={tones[erasure.state]}>{e.states[erasure.state]}</Badge>
            <span className="t13 i2">
              <Time at={erasure.endedAt ?? erasure.requestedAt} />
            </span>
          </p>
          {erasure.state === 'waiting' && <p className="i2">{e.waiting}</p>}
          {erasure.state === 'done' && erasure.erased.length === 0 && <p className="i2">{e.nothing}</p>}
          {erasure.erased.length > 0 && <h3 className="t14 bb">{e.erased}</h3>}
          <Parts parts={erasure.erased} />
          {erasure.kept.length > 0 && <h3 className="t14 bb">{e.kept}</h3>}
          <Parts parts={erasure.kept} />
          <div className="row form-foot">
            <Button
              icon="download"
              onClick={() => saveFile(`erasure-${erasure.id}.json`, `${JSON.stringify(erasure, undefined, 2)}\n`, 'application/json')}
            >
              {e.save}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  )
}

function Parts({
  parts,
}: {
  readonly parts: readonly { readonly category: string; readonly records: number; readonly reason?: string }[]
}) {
  return (
    <ul className="mini-l">
      {parts.map(({ category, records, reason }) => (
        <li key={category}>
          <span>
            <b className="b">{category}</b> {reason !== undefined && <span className="t13 i2">{reason}</span>}
          </span>
          <span className="num i2">{m.erasures.records(records)}</span>
        </li>
      ))}
    </ul>
  )
}
