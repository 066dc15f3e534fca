import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { JsonView } from '#src/values/json-view.tsx'

const refreshMs = 1_500

/** Lets the test address of a webhook take requests for a while, and shows the last one with the run that it started. */
export function WebhookTest({ trigger }: { readonly trigger: Trigger }) {
  const s = m.starting
  const queries = useQueryClient()
  const { id, webhook } = trigger
  const [busy, setBusy] = useState(false)
  const listens = webhook !== null && webhook.listensUntil !== null
  // The server says when the time is over.
  useQuery({
    queryKey: ['starts', 'one', id],
    queryFn: () => api.triggers.get({ params: { id } }),
    refetchInterval: listens ? refreshMs : false,
  })
  const last = useQuery({
    queryKey: ['starts', 'test', id],
    refetchInterval: listens ? refreshMs : false,
    queryFn: async () => {
      const [newest] = (await api.triggers.deliveries({ params: { id }, query: { limit: 1, test: 'true' } })).data
      return newest === undefined ? null : api.triggers.delivery({ params: { deliveryId: newest.id } })
    },
  })
  if (webhook === null || webhook.testUrl === null) return undefined
  const attempt = (act: () => Promise<unknown>) => {
    setBusy(true)
    void act()
      .then(() => queries.invalidateQueries({ queryKey: ['starts', 'one', id] }))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
      .finally(() => setBusy(false))
  }
  return (
    <section className="panel acard form">
      <div className="row wrap">
        <h2 className="t16 bb">{s.testTitle}</h2>
        <span className="sp" />
        {listens ? (
          <Button busy={busy} onClick={() => attempt(() => api.triggers.stopTest({ params: { id } }))}>
            {s.stop}
          </Button>
        ) : (
          <Button icon="play" busy={busy} onClick={() => attempt(() => api.triggers.test({ params: { id }, body: {} }))}>
            {s.listen}
          </Button>
        )}
      </div>
      <p className="t13 i2">{s.testText}</p>
      <div>
        <p className="row between">
          <b className="lbl">{s.testUrl}</b>
          <CopyButton text={webhook.testUrl} label={`${m.common.copy}: ${s.testUrl}`} />
        </p>
        <pre className="secret" dir="ltr" tabIndex={0} aria-label={s.testUrl}>
          {webhook.testUrl}
        </pre>
      </div>
      <p role="status" className={listens ? 't13 b' : 'vh'}>
        {listens ? s.listens : ''}
      </p>
      {last.data !== undefined && last.data !== null && <Received delivery={last.data} />}
    </section>
  )
}

type Received = Awaited<ReturnType<typeof api.triggers.delivery>>

function Received({ delivery: { outcome, status, method, address, reason, executionId, content } }: { readonly delivery: Received }) {
  const s = m.starting
  return (
    <div className="form">
      <p className="row wrap">
        <Badge tone={outcome === 'refused' || outcome === 'failed' ? 'bad' : outcome === 'ignored' ? 'off' : 'ok'}>
          {s.outcomes[outcome]}
        </Badge>
        <span className="num t13">{status}</span>
        <bdi className="mono t13">{`${method} ${address}`}</bdi>
        <span className="sp" />
        {executionId !== null && (
          <Link to={`/runs/${executionId}`} className="t13">
            {m.approvals.toRun}
          </Link>
        )}
      </p>
      {reason !== null && <p className="i2">{reason}</p>}
      {content !== null && <JsonView value={content} title={s.request} />}
    </div>
  )
}
