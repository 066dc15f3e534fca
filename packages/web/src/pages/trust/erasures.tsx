import type { groups, Reply } from '@millrace/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
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
import { ProblemPanel } from '#src/ui/problem.tsx'
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
      below={({ values }) => <Preview key={values} values={linesOf(values)} />}
      send={async ({ values, reason, sure }) => {
        if (!sure) throw new FieldProblems({ sure: e.confirmFirst })
        const given = reason.trim() === '' ? {} : { reason: reason.trim() }
        done(await api.erasures.create({ body: { values: linesOf(values), ...given } }))
      }}
      label={e.act}
    />
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What the erasure would do now, when a person asks for it. */
function Preview({ values }: { readonly values: string[] }) {
  const e = m.erasures
  const preview = useMutation({ mutationFn: () => api.erasures.preview({ body: { values } }) })
  const { data } = preview
  return (
    <>
      <Button look="plain" icon="search" disabled={values.length === 0} busy={preview.isPending} onClick={() => preview.mutate()}>
        {e.preview}
      </Button>
      {preview.isError && <ProblemPanel error={preview.error} />}
      <div role="status">
        {data !== undefined && (
          <>
            {data.records.length === 0 && <p className="i2">{e.nothing}</p>}
            {actions.map((action) => {
              const records = data.records.filter((one) => one.action === action)
              if (records.length === 0) return null
              return (
                <Fragment key={action}>
                  <h3 className="t14 bb">{e.actions[action]}</h3>
                  <Parts parts={records} />
                </Fragment>
              )
            })}
            {data.files.length > 0 && <h3 className="t14 bb">{e.filesDeleted(data.files.length + data.moreFiles)}</h3>}
            <Files files={data.files} />
            <p className="hint">{e.previewNote}</p>
          </>
        )}
      </div>
    </>
  )
}

const actions = ['replace', 'delete', 'keep'] as const

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

interface Part {
  readonly category: string
  readonly records: number
  readonly reason?: string
  readonly files?: readonly NamedFile[] | undefined
}

function Parts({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <ul className="mini-l">
      {parts.map(({ category, records, reason, files = [] }) => (
        <li key={`${category} ${reason ?? ''}`}>
          <span>
            <b className="b">{category}</b> {reason !== undefined && <span className="t13 i2">{reason}</span>}
            <Files files={files} />
          </span>
          <span className="num i2">{m.erasures.records(records)}</span>
        </li>
      ))}
    </ul>
  )
}

interface NamedFile {
  readonly id: string
  readonly name: string
}

/** Names of files, each with the way to it in the list of files. */
function Files({ files }: { readonly files: readonly NamedFile[] }) {
  return files.map(({ id, name }) => (
    <Link key={id} className="blk mono t13" to="/files" search={{ prefix: name.split('[erased:')[0] ?? '' }}>
      <bdi>{name}</bdi>
    </Link>
  ))
}
