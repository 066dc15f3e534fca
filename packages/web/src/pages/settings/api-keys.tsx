import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { KeyForm, scopeText } from '#src/pages/settings/key-form.tsx'
import { Button } from '#src/ui/button.tsx'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'

export function Page() {
  const k = m.apiKeys
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['api-keys'] })
  const secret = (value: string) => open(k.secret, (close) => <SecretOnce secret={value} text={k.secretText} onDone={close} />)
  const issue = () => open(k.create, () => <KeyForm done={(value) => changed().then(() => secret(value))} />)
  const rotate = (id: string) =>
    confirm(k.rotate, k.rotateText, () =>
      api.apiKeys.rotate({ params: { id }, body: {} }).then((next) => {
        // The sheet that asked closes first.
        setTimeout(() => secret(next.secret))
        return changed()
      }),
    )
  const showWorkflows = (name: string, ids: readonly string[]) =>
    open(name, () => (
      <>
        <p>{k.limitedTo(ids.length)}</p>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <WorkflowName id={id} />
            </li>
          ))}
        </ul>
      </>
    ))
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
          {
            head: k.name,
            phone: 'main',
            cell: ({ name, workflowIds }) => (
              <>
                <bdi className="b">{name}</bdi>
                {workflowIds !== null && <span className="hint blk">{k.limitedTo(workflowIds.length)}</span>}
              </>
            ),
          },
          { head: k.start, phone: 'below', cell: ({ start }) => <bdi className="mono i2">{start}…</bdi> },
          {
            head: k.scopes,
            cell: ({ scopes }) => (
              <span className="i2" title={scopes.map((scope) => `${scope}: ${scopeText(scope)}`).join('\n')}>
                {k.scopeCount(scopes.length)}
              </span>
            ),
          },
          {
            head: k.used,
            phone: 'below-side',
            cell: ({ lastUsedAt }) => (
              <span className="i2">
                <CellLabel text={k.used} />
                {lastUsedAt === null ? m.common.never : <Time at={lastUsedAt} kind="ago" />}
              </span>
            ),
          },
          {
            head: k.expires,
            cell: ({ expiresAt }) => <span className="i2">{expiresAt === null ? m.common.never : <Time at={expiresAt} kind="ago" />}</span>,
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: ({ id, name, workflowIds }) => (
              <Menu
                label={`${m.common.actions}: ${name}`}
                items={[
                  ...(workflowIds === null
                    ? []
                    : [{ label: k.showWorkflows, icon: 'flow' as const, act: () => showWorkflows(name, workflowIds) }]),
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
