import { useQueryClient } from '@tanstack/react-query'
import { grantableScopes, type Scope, scopeCatalogue } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'
import { timeOfLocal } from '#src/values/local-time.ts'

export function Page() {
  const k = m.apiKeys
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['api-keys'] })
  const secret = (value: string) => open(k.secret, (close) => <SecretOnce secret={value} text={k.secretText} onDone={close} />)
  const issue = () => open(k.create, () => <KeyForm done={(value) => void changed().then(() => secret(value))} />)
  const rotate = (id: string) =>
    confirm(k.rotate, k.rotateText, () =>
      api.apiKeys.rotate({ params: { id }, body: {} }).then((next) => setTimeout(() => secret(next.secret))),
    )
  const revoke = (id: string, name: string) =>
    confirm(k.revoke, k.revokeText(name), () => api.apiKeys.revoke({ params: { id } }).then(changed))
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="api-keys"
        load={(query) => api.apiKeys.list({ query })}
        id={({ id }) => id}
        actions={
          <Button look="primary" icon="plus" onClick={issue}>
            {k.create}
          </Button>
        }
        columns={[
          { head: k.name, phone: 'main', cell: ({ name }) => <bdi className="b">{name}</bdi> },
          { head: k.start, phone: 'below', cell: ({ start }) => <bdi className="mono i2">{start}…</bdi> },
          {
            head: k.scopes,
            cell: ({ scopes }) => (
              <span className="i2" title={scopes.map((scope) => `${scope}: ${textOf(scope)}`).join('\n')}>
                {k.scopeCount(scopes.length)}
              </span>
            ),
          },
          {
            head: k.used,
            cell: ({ lastUsedAt }) => (
              <span className="i2">{lastUsedAt === null ? m.common.never : <Time at={lastUsedAt} kind="ago" />}</span>
            ),
          },
          {
            head: k.expires,
            cell: ({ expiresAt }) => <span className="i2">{expiresAt === null ? m.common.never : <Time at={expiresAt} kind="ago" />}</span>,
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'side',
            cell: ({ id, name }) => (
              <Menu
                label={`${m.common.actions}: ${name}`}
                items={[
                  { label: k.rotate, icon: 'retry', act: () => rotate(id) },
                  { label: k.revoke, icon: 'x', danger: true, act: () => revoke(id, name) },
                ]}
              />
            ),
          },
        ]}
        empty={{
          title: k.emptyTitle,
          text: k.emptyText,
          action: (
            <Button look="primary" onClick={issue}>
              {k.create}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

function KeyForm({ done }: { readonly done: (secret: string) => void }) {
  const k = m.apiKeys
  const first: readonly Scope[] = ['workflows:read', 'executions:read', 'executions:run']
  return (
    <DataForm
      initial={{ name: '', scopes: first, expiresAt: '' }}
      fields={[
        { name: 'name', label: k.name, required: true, autoFocus: true, hint: k.nameHint },
        {
          name: 'scopes',
          label: k.scopes,
          kind: 'checks',
          options: grantableScopes.map((scope) => [scope, scope, textOf(scope)]),
        },
        { name: 'expiresAt', label: k.expires, kind: 'date', hint: k.expiresHint },
      ]}
      send={async ({ name, scopes, expiresAt }) => {
        const until = expiresAt === '' ? {} : { expiresAt: timeOfLocal(expiresAt) }
        done((await api.apiKeys.create({ body: { name, scopes: [...scopes], ...until } })).secret)
      }}
      label={k.create}
    />
  )
}

/** One line about what a scope permits. The contract has the English ones. */
function textOf(scope: Scope): string {
  return m.apiKeys.scopeTexts[scope] ?? scopeCatalogue[scope].description
}
