import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'

const usable = new Set(['basic', 'bearer', 'oauth2'])
const connectionsMax = 100

/** Links a branch of a repository. */
export function RepositoryForm({ done }: { readonly done: () => void }) {
  const k = m.git
  const connections = useQuery({
    queryKey: ['connections', 'of-git'],
    queryFn: () => api.connections.list({ query: { limit: connectionsMax } }),
  })
  const names = (connections.data?.data ?? []).filter(({ kind }) => usable.has(kind)).map(({ name }) => name)
  return (
    <DataForm
      initial={{ url: '', branch: 'main', folder: 'workflows', connection: '', pull: 'draft', automatic: false, authors: true }}
      fields={[
        { name: 'url', label: k.repository, kind: 'url', required: true, autoFocus: true, placeholder: 'https://git.example.com/shop.git' },
        { name: 'branch', label: k.branch, required: true },
        { name: 'folder', label: k.folder, hint: k.folderHint },
        {
          name: 'connection',
          label: k.connection,
          kind: 'select',
          options: [['', k.public], ...names.map((name) => [name, name] as const)],
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
      send={async ({ url, branch, folder, connection, pull, automatic, authors }) => {
        const access = connection === '' ? {} : { connection }
        await api.git.create({
          body: { url, branch, folder, automatic, authors, pull: pull === 'publish' ? 'publish' : 'draft', ...access },
        })
        done()
      }}
      label={k.link}
    />
  )
}
