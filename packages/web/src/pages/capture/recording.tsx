import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'

type Started = Reply<(typeof groups)['livecapture']['start']>
type Draft = Reply<(typeof groups)['livecapture']['stop']>['draft']

const refreshMs = 2000
const shown = 200

interface RecordingProps {
  readonly session: Started
  readonly done: (draft: Draft) => void
}

/** A session under way: how the recorder gets into a page, what it has sent, and the end. */
export function Recording({ session: { id, name, recorder, expiresAt }, done }: RecordingProps) {
  const c = m.capture
  const live = useQuery({
    queryKey: ['capture', id],
    refetchInterval: refreshMs,
    queryFn: () => api.livecapture.get({ params: { id }, query: { limit: shown } }),
  })
  const script = `<script src="${recorder.script}" data-endpoint="${recorder.endpoint}"></script>`
  return (
    <>
      <section className="panel acard">
        <h2 className="t16 bb">{name}</h2>
        <ol className="plain-list">
          <li>
            {c.step1}{' '}
            <a href={recorder.page} target="_blank" rel="noreferrer">
              {c.recorderPage}
            </a>
          </li>
          <li>{c.step2}</li>
          <li>{c.step3}</li>
        </ol>
        <details className="step-line">
          <summary className="b">{c.ownPages}</summary>
          <p className="row between">
            <span className="t13 i2">{c.ownPagesText}</span>
            <CopyButton text={script} />
          </p>
          <pre className="secret" dir="ltr" tabIndex={0}>
            {script}
          </pre>
        </details>
        <p className="t12 i3">
          {c.secret} {c.ends} <Time at={expiresAt} kind="ago" />
        </p>
      </section>
      <section className="panel acard" aria-live="polite">
        <h2 className="t16 bb">{c.soFar(live.data?.events ?? 0)}</h2>
        {live.isError && <ProblemPanel error={live.error} />}
        <ol className="needs-list capture-events">
          {live.data?.data.map(({ sequence, kind, label, url, request }) => (
            <li key={sequence} className="row">
              <Icon name={kind === 'request' ? 'ext' : kind === 'navigate' ? 'arrow' : 'hand'} />
              <b className="b">{c.kinds[kind]}</b>
              <span className="i2 trunc">
                <bdi>{request === undefined ? (label ?? url) : `${request.method} ${request.url}`}</bdi>
              </span>
            </li>
          ))}
        </ol>
        <DataForm
          initial={{}}
          fields={[]}
          send={async () => done((await api.livecapture.stop({ body: { sessionId: id } })).draft)}
          label={c.stop}
        />
      </section>
    </>
  )
}
