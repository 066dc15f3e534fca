import { notificationWebhookFormats } from '@millrace/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

type Webhook = NonNullable<Awaited<ReturnType<typeof api.notifications.preferences>>['webhook']>
type Format = Webhook['format']

const isFormat = (text: string): text is Format => notificationWebhookFormats.some((format) => format === text)

/** The URL that receives the notifications of the user. An empty one removes it. */
export function WebhookForm({ done }: { readonly done: () => void }) {
  const n = m.notifications
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const query = useQuery({ queryKey: ['notification.preferences'], queryFn: () => api.notifications.preferences() })
  if (secret !== undefined) return <SecretOnce secret={secret} text={n.webhookSecret} onDone={() => setSecret(undefined)} />
  return (
    <Loaded query={query}>
      {({ webhook }) => (
        <DataForm
          initial={{ url: webhook?.url ?? '', format: webhook?.format ?? 'slack' }}
          before={<p className="i2">{n.webhookText}</p>}
          fields={[
            { name: 'url', label: n.webhookUrl, kind: 'url', hint: webhook === null ? n.webhookHint : <State webhook={webhook} /> },
            {
              name: 'format',
              label: n.webhookFormat,
              kind: 'select',
              options: notificationWebhookFormats.map((format) => [format, n.webhookFormats[format]]),
            },
          ]}
          send={async ({ url, format }) => {
            const wanted = url.trim() === '' ? null : { url: url.trim(), ...(isFormat(format) ? { format } : {}) }
            const { webhook: after } = await api.notifications.updatePreferences({ body: { webhook: wanted } })
            await queries.invalidateQueries({ queryKey: ['notification.preferences'] })
            toast(m.common.saved)
            if (after?.format === 'standard' && after.secret !== undefined) setSecret(after.secret)
            // The form stays open, so that the address can be tested.
            else if (wanted === null) done()
          }}
          below={({ url, format }) => webhook !== null && url.trim() === webhook.url && format === webhook.format && <Test />}
          label={m.common.save}
        />
      )}
    </Loaded>
  )
}

function State({ webhook: { disabledAt, lastError, lastSentAt } }: { readonly webhook: Webhook }) {
  const n = m.notifications
  if (disabledAt !== null) return `${n.webhookStopped} ${lastError ?? ''}`
  if (lastError !== null) return `${n.webhookFailing} ${lastError}`
  if (lastSentAt === null) return n.webhookUnused
  return (
    <>
      {n.webhookLast} <Time at={lastSentAt} kind="ago" />
    </>
  )
}

/** Sends a test to the saved address, and shows what became of it. */
function Test() {
  const n = m.notifications
  const test = useMutation({ mutationFn: () => api.notifications.testWebhook() })
  return (
    <div className="row wrap">
      <Button icon="play" busy={test.isPending} onClick={() => test.mutate()}>
        {n.webhookTest}
      </Button>
      <span role="status">
        {test.data !== undefined &&
          !test.isPending &&
          (test.data.delivered ? (
            <Badge tone="ok">{n.webhookTested}</Badge>
          ) : (
            <>
              <Badge tone="bad">{n.webhookTestFailed}</Badge> {test.data.error}
            </>
          ))}
      </span>
      {test.error !== null && <ProblemPanel error={test.error} />}
    </div>
  )
}
