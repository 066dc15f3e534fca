import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
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

type Repository = Reply<(typeof groups)['git']['list']>['data'][number]

/** The repositories whose files are definitions of the account. */
export function Page() {
  const k = m.git
  const queries = useQueryClient()
  const mayChange = useMay('connections:write')
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['git'] })
  const sync = (one: Repository, way: 'pull' | 'push', resolve: Readonly<Record<string, 'repository' | 'workflow'>> = {}): void =>
    void api.git[way]({ params: { id: one.id }, body: { resolve: { ...resolve } } })
      .then(async (result) => {
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
      })
      .catch((error: unknown) => {
        toast(wordsOf(error).detail, 'faulted')
        return changed()
      })
  const button = mayChange && (
    <Button look="primary" icon="plus" onClick={() => open(k.link, (close) => <RepositoryForm done={() => void changed().then(close)} />)}>
      {k.link}
    </Button>
  )
  const items = (one: Repository) => [
    { label: k.pullNow, icon: 'download', act: () => sync(one, 'pull') },
    { label: k.pushNow, icon: 'ext', act: () => sync(one, 'push') },
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
          { head: k.repository, phone: 'main', cell: ({ url }) => <Address url={url} /> },
          { head: k.branch, phone: 'below', cell: ({ branch, folder }) => <bdi className="mono i2">{`${branch} · ${folder}/`}</bdi> },
          { head: k.makes, cell: ({ pull }) => <span className="i2">{k.pulls[pull]}</span> },
          {
            head: k.state,
            phone: 'foot',
            cell: ({ problem, conflicts, files }) =>
              problem !== null ? (
                <span className="git-problem" title={problem}>
                  <Badge tone="bad">{k.refused}</Badge> <span className="t12 i2">{problem}</span>
                </span>
              ) : conflicts.length > 0 ? (
                <Badge tone="bad">{k.conflicts(conflicts.length)}</Badge>
              ) : (
                <span className="i2">{k.files(files)}</span>
              ),
          },
          { head: k.last, end: true, phone: 'below-side', cell: ({ syncedAt }) => <Synced at={syncedAt} /> },
          {
            head: m.common.actions,
            end: true,
            phone: 'side',
            cell: (one) => (mayChange ? <Menu label={`${m.common.actions}: ${one.url}`} items={items(one)} /> : null),
          },
        ]}
        empty={{ title: k.emptyTitle, text: k.emptyText, ...(mayChange ? { action: button } : {}) }}
      />
      {sheet}
    </>
  )
}

/** A repository by its path, with the host below: the part in which they differ comes first. */
function Address({ url }: { readonly url: string }) {
  const [, host = '', path = url] = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ?? []
  return (
    <span className="git-address" title={url}>
      <bdi className="b">{path}</bdi>
      {host !== '' && <bdi className="t12 i3 mono">{host}</bdi>}
    </span>
  )
}

function Synced({ at }: { readonly at: string | null }) {
  return <span className="i2">{at === null ? m.common.never : <Time at={at} kind="ago" />}</span>
}
