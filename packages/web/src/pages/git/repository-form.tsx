import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'

type Repository = Reply<(typeof groups)['git']['list']>['data'][number]

const usable = new Set(['basic', 'bearer', 'oauth2'])
const connectionsMax = 100

const beginning = {
  url: '',
  branch: 'main',
  folder: 'workflows',
  connection: null,
  pull: 'draft',
  automatic: false,
  authors: true,
} as const

interface RepositoryFormProps {
  /** The one to change; without it, one is linked. */
  readonly repository?: Repository
  readonly done: () => Promise<unknown>
}

/** Links a branch of a repository, or changes one that is linked. */
export function RepositoryForm({ repository, done }: RepositoryFormProps) {
  const k = m.git
  const connections = useQuery({
    queryKey: ['connections', 'of-git'],
    queryFn: () => api.connections.list({ query: { limit: connectionsMax } }),
  })
  const { url, branch, folder, connection, pull, automatic, authors } = repository ?? beginning
  const names = new Set((connections.data?.data ?? []).filter(({ kind }) => usable.has(kind)).map(({ name }) => name))
  if (connection !== null) names.add(connection)
  return (
    <DataForm
      initial={{ url, branch, folder, connection: connection ?? '', pull, automatic, authors }}
      fields={[
        { name: 'url', label: k.repository, kind: 'url', required: true, autoFocus: true, placeholder: 'https://git.example.com/shop.git' },
        { name: 'branch', label: k.branch, required: true },
        { name: 'folder', label: k.folder, hint: k.folderHint },
        {
          name: 'connection',
          label: k.connection,
          kind: 'select',
          options: [['', k.public], ...[...names].map((name) => [name, name] as const)],
        },
        {
          name: 'pull',
          label: k.makes,
          kind: 'select',
          options: [
            ['draft', k.pulls.draft],
            ['publish', k.pulls.publish],
          ],
        },
        { name: 'authors', label: k.authors, kind: 'switch', hint: k.authorsHint },
        { name: 'automatic', label: k.automatic, kind: 'switch', hint: k.automaticHint },
      ]}
      below={(values) =>
        repository !== undefined &&
        (values.url !== url || values.branch !== branch || values.folder !== folder) && <p className="i2">{k.elsewhere}</p>
      }
      send={async ({ connection: name, pull: makes, ...values }) => {
        const given = { ...values, pull: makes === 'publish' ? 'publish' : 'draft' } as const
        if (repository === undefined) await api.git.create({ body: { ...given, ...(name === '' ? {} : { connection: name }) } })
        else await api.git.update({ params: { id: repository.id }, body: { ...given, connection: name === '' ? null : name } })
        await done()
      }}
      label={repository === undefined ? k.link : k.change}
    />
  )
}
