import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { wordsOf } from '#src/ui/problem.tsx'
import { exactTime } from '#src/values/format.ts'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const shownTimes = 5

interface FormProps {
  readonly workflow: string
  readonly done: () => void
}

/** A schedule by a cron expression, with the next times that the server computes. */
export function ScheduleForm({ workflow, done }: FormProps) {
  const s = m.starts
  return (
    <DataForm
      initial={{ name: s.everyMorning, preset: '0 9 * * MON-FRI', cron: '0 9 * * MON-FRI', timeZone: zone }}
      fields={({ cron, timeZone }) => [
        { name: 'name', label: m.workflows.name, required: true },
        { name: 'preset', label: s.preset, kind: 'select', options: [['', s.own], ...s.presets] },
        { name: 'cron', label: s.cron, required: true, hint: <NextTimes cron={cron} timeZone={timeZone} /> },
        { name: 'timeZone', label: s.zone, required: true },
      ]}
      send={async ({ name, cron, timeZone }) => {
        await api.triggers.createSchedule({ body: { workflowId: workflow, name, schedule: { cron, timeZone } } })
        done()
      }}
      label={s.add}
      derive={(values, name) => (name === 'preset' && values.preset !== '' ? { ...values, cron: values.preset } : values)}
    />
  )
}

function NextTimes({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }) {
  const [key] = useState(() => crypto.randomUUID())
  const preview = useQuery({
    queryKey: ['schedule.preview', key, cron, timeZone],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () => api.triggers.previewSchedule({ body: { schedule: { cron, timeZone }, count: shownTimes } }),
  })
  if (preview.isError) return <span className="c-bad">{wordsOf(preview.error).parts[0]?.detail ?? wordsOf(preview.error).detail}</span>
  return (
    <span className="next-times">
      {preview.data?.times.map(({ utc, local }) => (
        <bdi key={utc} title={exactTime(utc)}>
          {local.replace('T', ' ')}
        </bdi>
      ))}
    </span>
  )
}

export function WebhookForm({
  workflow,
  done,
}: {
  readonly workflow: string
  readonly done: (url: string, secret: string | null) => void
}) {
  const s = m.starts
  return (
    <DataForm
      initial={{ name: s.webhook, scheme: 'standard', reply: 'accepted' }}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'scheme', label: s.signature, kind: 'select', options: s.schemes, hint: s.signatureHint },
        { name: 'reply', label: s.reply, kind: 'select', options: s.replies },
      ]}
      send={async ({ name, scheme, reply }) => {
        const body = { workflowId: workflow, name, webhook: { reply: replyOf(reply), signature: { scheme: schemeOf(scheme) } } }
        const made = await api.triggers.createWebhook({ body })
        done(made.webhook?.url ?? '', made.secret)
      }}
      label={s.add}
    />
  )
}

const schemes = ['standard', 'github', 'stripe', 'slack', 'hmac', 'none'] as const
const replies = ['accepted', 'end', 'respond'] as const
const schemeOf = (text: string) => schemes.find((scheme) => scheme === text) ?? 'standard'
const replyOf = (text: string) => replies.find((reply) => reply === text) ?? 'accepted'

export function EventForm({ workflow, done }: FormProps) {
  const s = m.starts
  return (
    <DataForm
      initial={{ name: s.event, types: 'com.example.order.placed' }}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'types', label: s.types, kind: 'code', rows: 4, required: true, hint: m.subscriptions.typesHint },
      ]}
      send={async ({ name, types }) => {
        await api.triggers.create({
          body: { workflowId: workflow, kind: 'event', name, event: { types: types.split(/\s+/).filter((type) => type !== '') } },
        })
        done()
      }}
      label={s.add}
    />
  )
}
