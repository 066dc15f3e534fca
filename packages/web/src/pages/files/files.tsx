import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { bytes } from '#src/values/format.ts'
import { saveFrom } from '#src/values/save-file.ts'
import { Upload } from './upload.tsx'

type File = Reply<(typeof groups)['files']['list']>['data'][number]

// Only this page reads them: the texts of all pages load with every page.
const { files: f } = await (boot.locale === 'ar' ? import('#src/messages/ar/files.ts') : import('#src/messages/en/files.ts'))

/** The files that the platform keeps for the account. */
export function Page() {
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['files'] })
  const upload = () => open(f.upload, (close) => <Upload f={f} done={() => changed().then(close)} />)
  const mayChange = useMay('files:write')
  const button = mayChange && (
    <Button look="primary" icon="plus" onClick={upload}>
      {f.upload}
    </Button>
  )
  return (
    <>
      <ListPage
        title={m.nav.files}
        lede={f.lede}
        name="files"
        load={(query) => api.files.list({ query })}
        id={({ id }) => id}
        actions={button}
        filters={[{ name: 'prefix', label: f.find }]}
        columns={[
          {
            head: f.name,
            phone: 'main',
            cell: ({ name }) => (
              <bdi className="mono b" title={name}>
                {name}
              </bdi>
            ),
          },
          { head: f.type, phone: 'below-next', cell: ({ contentType }) => <bdi className="i2">{contentType}</bdi> },
          {
            head: f.ends,
            cell: ({ expiresAt }) => <span className="i2">{expiresAt === null ? f.kept : <Time at={expiresAt} kind="ago" />}</span>,
          },
          {
            head: f.changed,
            end: true,
            phone: 'below',
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
          { head: f.size, end: true, phone: 'side', cell: ({ size }) => <span className="num">{bytes(size)}</span> },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (file) => (
              <Menu
                label={`${m.common.actions}: ${file.name}`}
                items={[
                  {
                    label: f.download,
                    icon: 'download',
                    act: () => void download(file).catch((error: unknown) => toast(wordsOf(error).detail, 'faulted')),
                  },
                  ...(mayChange
                    ? [
                        {
                          label: m.common.remove,
                          icon: 'x',
                          danger: true,
                          act: () =>
                            confirm(f.remove, f.removeText(file.name), () => api.files.delete({ params: { id: file.id } }).then(changed)),
                        },
                      ]
                    : []),
                ]}
              />
            ),
          },
        ]}
        empty={{ title: f.emptyTitle, text: f.emptyText, action: button }}
      />
      {sheet}
    </>
  )
}

async function download({ id }: File): Promise<void> {
  const { url } = await api.files.link({ params: { id } })
  saveFrom(url)
}
