import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AddWorkflows } from '#src/pages/git/add-workflows.tsx'
import { RepositoryForm } from '#src/pages/git/repository-form.tsx'
import { Changes } from '#src/pages/git/changes.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

type Result = Reply<(typeof groups)['git']['push']>
type Repository = Reply<(typeof groups)['git']['list']>['data'][number]

/** The repositories whose files are definitions of the account. */
export function Page() {
  const k = m.git
  const queries = useQueryClient()
  const mayChange = useMay('connections:write')
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['git'] })
  const [busy, setBusy] = useState<string>()
  const show = async (one: Repository, way: 'pull' | 'push', result: Result) => {
    await changed()
    open(way === 'pull' ? k.pulled : k.pushed, (close) => (
      <Changes
        result={result}
        resolve={(path, side) => {
          close()
          sync(one, side === 'repository' ? 'pull' : 'push', { [path]: side })
        }}
      />
    ))
  }
  const sync = (one: Repository, way: 'pull' | 'push', resolve: Readonly<Record<string, 'repository' | 'workflow'>> = {}): void => {
    setBusy(`${way} ${one.id}`)
    void api.git[way]({ params: { id: one.id }, body: { resolve: { ...resolve } } })
      .then((result) => show(one, way, result))
      .catch((error: unknown) => {
        toast(wordsOf(error).detail, 'faulted')
        return changed()
      })
      .finally(() => setBusy(undefined))
  }
  const add = (one: Repository) =>
    open(k.add, () => (
      <AddWorkflows
        repository={one}
        push={(workflowIds, message) =>
          api.git
            .push({ params: { id: one.id }, body: { workflowIds, ...(message === undefined ? {} : { message }) } })
            .then((result) => show(one, 'push', result))
        }
      />
    ))
  const button = mayChange && (
    <Button look="primary" icon="plus" onClick={() => open(k.link, (close) => <RepositoryForm done={() => changed().then(close)} />)}>
      {k.link}
    </Button>
  )
  const items = (one: Repository) => [
    { label: k.add, icon: 'plus', act: () => add(one) },
    {
      label: k.change,
      icon: 'edit',
      act: () => open(k.change, (close) => <RepositoryForm repository={one} done={() => changed().then(close)} />),
    },
    {
      label: k.unlink,
      icon: 'x',
      danger: true,
      act: () => confirm(k.unlink, k.unlinkText, () => api.git.delete({ params: { id: one.id } }).then(changed)),
    },
  ]
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="git"
        load={(query) => api.git.list({ query })}
        id={({ id }) => id}
        actions={button}
        columns={[
          { head: k.repository, phone: 'main', cell: (one) => <Address repository={one} /> },
          {
            head: k.branch,
            phone: 'below',
            cell: ({ branch, folder, pull }) => (
              <span className="git-address i2">
                <bdi className="mono">{`${branch} · ${folder}/`}</bdi>
                <span className="t12">{k.pullMakes(k.pulls[pull])}</span>
              </span>
            ),
          },
          { head: k.state, phone: 'side', cell: (one) => <State repository={one} /> },
          {
            head: k.last,
            end: true,
            phone: 'below-side',
            cell: ({ syncedAt }) => <span className="i2">{syncedAt === null ? '' : <Time at={syncedAt} kind="ago" />}</span>,
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'foot',
            cell: (one) =>
              mayChange && (
                <span className="row git-actions">
                  <Button size="sm" icon="download" busy={busy === `pull ${one.id}`} onClick={() => sync(one, 'pull')}>
                    {one.conflicts.length > 0 ? k.resolve : k.pullNow}
                  </Button>
                  <Button
                    size="sm"
                    icon="ext"
                    busy={busy === `push ${one.id}`}
                    onClick={() => (one.files === 0 ? add(one) : sync(one, 'push'))}
                  >
                    {one.files === 0 ? k.add : k.pushNow}
                  </Button>
                  <Menu label={`${m.common.actions}: ${one.url}`} items={items(one)} />
                </span>
              ),
          },
        ]}
        empty={{ title: k.emptyTitle, text: k.emptyText, ...(mayChange ? { action: button } : {}) }}
      />
      {sheet}
    </>
  )
}

/** A repository by its path, with the host below: the part in which they differ comes first. What went wrong stands with it. */
function Address({ repository: { url, problem } }: { readonly repository: Repository }) {
  const [, host = '', path = url] = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ?? []
  return (
    <span className="git-address" title={url}>
      <bdi className="b">{path}</bdi>
      {host !== '' && <bdi className="t12 i3 mono">{host}</bdi>}
      {problem !== null && (
        <span className="t12 c-bad git-problem" dir="auto">
          {problem}
        </span>
      )}
    </span>
  )
}

function State({ repository: { problem, conflicts, files, syncedAt } }: { readonly repository: Repository }) {
  const k = m.git
  if (problem !== null) return <Badge tone="bad">{k.refused}</Badge>
  if (conflicts.length > 0) return <Badge tone="bad">{k.conflicts(conflicts.length)}</Badge>
  return syncedAt === null ? <Badge tone="wait">{k.notYet}</Badge> : <span className="i2">{k.files(files)}</span>
}
