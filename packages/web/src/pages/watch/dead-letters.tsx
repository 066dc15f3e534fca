import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { replayable } from '#src/pages/watch/replayable.ts'
import { InboxPage } from '#src/patterns/inbox-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { JsonView } from '#src/values/json-view.tsx'
import { mergePatch } from '#src/values/merge-patch.ts'

type Letter = Reply<(typeof groups)['queue']['deadLetters']>['data'][number]

export function Page() {
  const d = m.deadLetters
  const queries = useQueryClient()
  const { confirm, sheet } = useSheet()
  const mayReplay = useMay('queue:write')
  const search: { kind?: string } = useSearch({ strict: false })
  const replayAll = async (body: NonNullable<ReturnType<typeof replayable>>) => {
    const { items } = await api.queue.replayAll({ body })
    toast(d.replayedCount(items.filter((item) => item.replayed).length, items.length))
    await queries.invalidateQueries({ queryKey: ['dead-letters'] })
  }
  return (
    <>
      <InboxPage
        title={d.title}
        lede={d.lede}
        name="dead-letters"
        load={(query) => api.queue.deadLetters({ query: { replayed: 'false', limit: 100, ...query } })}
        id={({ id }) => id}
        filters={[
          {
            name: 'kind',
            label: d.kind,
            options: [
              ['execution', d.execution],
              ['event_delivery', d.delivery],
            ],
          },
          { name: 'replayed', label: d.state, options: [['true', d.replayed]] },
        ]}
        actions={(letters) => {
          const all = replayable(letters, search.kind)
          if (all === undefined || !mayReplay) return null
          return <Button onClick={() => confirm(d.replayAll, d.replayAllText, () => replayAll(all))}>{d.replayAll}</Button>
        }}
        row={({ kind, reason, createdAt }) => (
          <>
            <Icon name={kind === 'execution' ? 'runs' : 'ext'} />
            <span className="grow">
              <span className="b blk trunc">{reason}</span>
              <span className="t12 i3">
                <Time at={createdAt} kind="ago" />
              </span>
            </span>
          </>
        )}
        detail={(letter) => <Case key={letter.id} letter={letter} />}
        empty={{ title: d.emptyTitle, text: d.emptyText, action: <ButtonLink to="/runs?state=faulted">{d.faulted}</ButtonLink> }}
      />
      {sheet}
    </>
  )
}

function Case({ letter }: { readonly letter: Letter }) {
  const d = m.deadLetters
  const mayReplay = useMay('queue:write')
  const whole = useQuery({ queryKey: ['dead-letter', letter.id], queryFn: () => api.queue.deadLetter({ params: { id: letter.id } }) })
  return (
    <article className="panel acard">
      <h2 className="t16">{letter.reason}</h2>
      <p className="t13 i2">
        {d.attempts(letter.attempts)} {letter.executionId !== null && <Link to={`/runs/${letter.executionId}`}>{m.approvals.toRun}</Link>}{' '}
        {letter.replayedAs !== null && <Link to={`/runs/${letter.replayedAs}`}>{d.continuation}</Link>}
      </p>
      <Loaded query={whole}>
        {({ payload }) =>
          letter.replayedAt === null && mayReplay ? <Replay letter={letter} payload={payload} /> : <JsonView value={payload} />
        }
      </Loaded>
    </article>
  )
}

/** The input beside its repair; what is sent is the smallest patch. */
function Replay({ letter, payload }: { readonly letter: Letter; readonly payload: unknown }) {
  const d = m.deadLetters
  const queries = useQueryClient()
  const navigate = useNavigate()
  const text = JSON.stringify(payload, undefined, 2)
  const repairable = letter.kind === 'execution'
  return (
    <DataForm
      initial={{ input: text }}
      before={repairable ? undefined : <JsonView value={payload} />}
      fields={repairable ? [{ name: 'input', label: d.input, kind: 'code', rows: 14, hint: d.inputHint }] : []}
      send={async ({ input }) => {
        const patch = input === text ? undefined : mergePatch(payload, readJson(input, m.editor.notJson))
        const { replayedAs } = await api.queue.replay({ params: { id: letter.id }, body: patch === undefined ? {} : { patch } })
        await queries.invalidateQueries({ queryKey: ['dead-letters'] })
        toast(d.replayedToast)
        if (replayedAs !== null) await navigate({ to: `/runs/${replayedAs}` })
      }}
      label={d.replay}
    />
  )
}
