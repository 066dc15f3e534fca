import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { toastFailure } from '#src/ui/toast-failure.ts'
import { WebhookForm } from './webhook-form.tsx'

const icons: Readonly<Record<string, string>> = {
  'execution.faulted': 'warn',
  'approval.waiting': 'people',
  'trigger.paused': 'clock',
  'security.event': 'lock',
}

export function Page() {
  const n = m.notifications
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['notifications'] })
  return (
    <>
      <ListPage
        title={n.title}
        name="notifications"
        load={(query) => api.notifications.list({ query })}
        id={({ id }) => id}
        actions={
          <>
            <Button onClick={() => open(n.preferences, (close) => <Preferences done={close} />)}>{n.preferences}</Button>
            <Button onClick={() => open(n.webhookTitle, (close) => <WebhookForm done={close} />)}>{n.webhookOpen}</Button>
            <Button look="primary" onClick={() => void api.notifications.readAll({ body: {} }).then(changed, toastFailure)}>
              {n.readAll}
            </Button>
          </>
        }
        filters={[
          {
            name: 'unread',
            label: n.state,
            options: [
              ['true', n.unread],
              ['false', n.read],
            ],
          },
        ]}
        columns={[
          {
            head: n.what,
            phone: 'main',
            cell: ({ title, kind, link, read }) => (
              <span className="row">
                <Icon name={icons[kind] ?? 'notice'} />
                {link === null ? (
                  <span className={read ? '' : 'b'}>{title}</span>
                ) : (
                  <Link to={link} className={read ? 'trunc' : 'b trunc'}>
                    {title}
                  </Link>
                )}
              </span>
            ),
          },
          { head: n.detail, phone: 'below', cell: ({ body }) => <span className="i2">{body}</span> },
          { head: n.times, end: true, cell: ({ count }) => <span className="num i2">{count > 1 ? `×${count}` : ''}</span> },
          {
            head: n.last,
            end: true,
            phone: 'side',
            cell: ({ lastAt }) => (
              <span className="i2">
                <Time at={lastAt} kind="ago" />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'below-side',
            cell: ({ id, read }) => (
              <Button
                size="sm"
                look="quiet"
                onClick={() => void api.notifications.read({ params: { id }, body: { read: !read } }).then(changed, toastFailure)}
              >
                {read ? n.markUnread : n.markRead}
              </Button>
            ),
          },
        ]}
        empty={{ title: n.emptyTitle, text: n.emptyText }}
      />
      {sheet}
    </>
  )
}

function Preferences({ done }: { readonly done: () => void }) {
  const n = m.notifications
  const query = useQuery({ queryKey: ['notification.preferences'], queryFn: () => api.notifications.preferences() })
  const words: Readonly<Record<string, string>> = n.kinds
  return (
    <Loaded query={query}>
      {({ kinds, digestMinutes, firstAtOnce, mailConfigured, webhook }) => (
        <DataForm
          initial={{
            inApp: kinds.filter((one) => one.inApp).map(({ kind }) => kind),
            mail: kinds.filter((one) => one.mail).map(({ kind }) => kind),
            webhook: kinds.filter((one) => one.webhook).map(({ kind }) => kind),
            firstAtOnce,
            digestMinutes: String(digestMinutes),
          }}
          fields={[
            { name: 'inApp', label: n.inApp, kind: 'checks', options: kinds.map(({ kind }) => [kind, words[kind] ?? kind]) },
            {
              name: 'mail',
              label: n.byMail,
              kind: 'checks',
              hint: mailConfigured ? undefined : n.noMail,
              options: kinds.map(({ kind }) => [kind, words[kind] ?? kind]),
            },
            {
              name: 'webhook',
              label: n.byWebhook,
              kind: 'checks',
              hint: webhook === null ? n.noWebhook : undefined,
              options: kinds.map(({ kind }) => [kind, words[kind] ?? kind]),
            },
            { name: 'firstAtOnce', label: n.firstAtOnce, kind: 'switch', hint: n.firstAtOnceHint },
            { name: 'digestMinutes', label: n.digest, kind: 'number' },
          ]}
          send={async (values) => {
            const body = {
              firstAtOnce: values.firstAtOnce,
              digestMinutes: Number(values.digestMinutes),
              kinds: kinds.map(({ kind }) => ({
                kind,
                inApp: values.inApp.includes(kind),
                mail: values.mail.includes(kind),
                webhook: values.webhook.includes(kind),
              })),
            }
            await api.notifications.updatePreferences({ body })
            toast(m.common.saved)
            done()
          }}
          label={m.common.save}
        />
      )}
    </Loaded>
  )
}
