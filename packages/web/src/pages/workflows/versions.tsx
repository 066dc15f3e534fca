import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { allPages } from '#src/patterns/all-pages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { ExportForm } from '#src/pages/workflows/export-form.tsx'
import { type Version, VersionComparison, type Workflow } from '#src/pages/workflows/version-comparison.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

const perPage = 100

/** What was published: compared with each other and with the draft, exported, and restored as the draft. */
export function Versions({ workflow, onRestored }: { readonly workflow: Workflow; readonly onRestored: () => void }) {
  const v = m.versions
  const { id } = workflow
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const people = usePeople()
  const mayChange = useMayChange()
  const query = useQuery({
    queryKey: ['workflow', id, 'versions', workflow.version],
    queryFn: () =>
      allPages((cursor) =>
        api.workflowDrafts.versions({ params: { id }, query: { limit: perPage, ...(cursor === undefined ? {} : { cursor }) } }),
      ),
  })
  const restore = ({ number }: Version) =>
    confirm(v.restoreTitle(number), v.restoreText, async () => {
      const { revision } = await api.workflows.get({ params: { id } })
      await api.workflowDrafts.restore({ params: { id }, body: { version: number } }, { ifMatch: revision })
      await queries.invalidateQueries({ queryKey: ['workflow', id], exact: true })
      toast(v.restored(number))
      // The page is drawn with the new draft in the next turn, and the editor opens the text that the page has.
      setTimeout(onRestored)
    })
  const [compared, setCompared] = useState<Version>()
  return (
    <div className="page wide">
      <Loaded query={query}>
        {(data) =>
          data.length === 0 ? (
            <Empty title={v.emptyTitle} text={v.emptyText} />
          ) : (
            <Rows
              rows={data}
              spec={{
                title: v.title,
                id: ({ number }) => String(number),
                columns: [
                  {
                    head: v.version,
                    phone: 'main',
                    cell: ({ number, documentVersion }) => (
                      <span className="row">
                        <b className="num">{`v${number}`}</b>
                        {isVersioned(data) && <bdi className="mono i2">{documentVersion}</bdi>}
                        {number === workflow.version && <Badge tone="race">{v.runs}</Badge>}
                      </span>
                    ),
                  },
                  {
                    head: v.note,
                    phone: 'below',
                    cell: ({ note, restores }) => (
                      <span className="stack">
                        {restores !== null && <span className="i2">{v.restoredFrom(restores)}</span>}
                        {(note !== null || restores === null) && <span className={note === null ? 'i3' : 'i2'}>{note ?? v.noNote}</span>}
                      </span>
                    ),
                  },
                  {
                    head: v.by,
                    phone: 'foot',
                    cell: ({ publishedBy }) => <span className="i2">{people.get(publishedBy) ?? publishedBy}</span>,
                  },
                  {
                    head: v.at,
                    phone: 'below-side',
                    cell: ({ publishedAt }) => (
                      <span className="i2">
                        <Time at={publishedAt} />
                      </span>
                    ),
                  },
                  {
                    head: m.common.actions,
                    end: true,
                    phone: 'side',
                    cell: (version) => (
                      <span className="row end-row">
                        <Button size="sm" onClick={() => setCompared(version)}>
                          {v.compare}
                        </Button>
                        <Menu
                          label={v.actions(version.number)}
                          items={[
                            ...(mayChange ? [{ label: v.restore, icon: 'retry', act: () => restore(version) }] : []),
                            {
                              label: m.exporting.open,
                              icon: 'download',
                              act: () =>
                                open(m.exporting.open, (close) => <ExportForm workflow={workflow} version={version.number} done={close} />),
                            },
                          ]}
                        />
                      </span>
                    ),
                  },
                ],
              }}
            />
          )
        }
      </Loaded>
      {compared !== undefined && (
        <Dialog keepsTyped title={v.compare} onClose={() => setCompared(undefined)}>
          <VersionComparison workflow={workflow} version={compared} versions={query.data ?? []} />
        </Dialog>
      )}
      {sheet}
    </div>
  )
}

/** Whether people number their versions in the document: else it has the same number in all of them, which says nothing. */
const isVersioned = (versions: readonly Version[]) => new Set(versions.map(({ documentVersion }) => documentVersion)).size > 1
