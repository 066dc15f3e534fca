import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { packWords as arabic } from '#src/messages/ar/pack.ts'
import { packWords as english } from '#src/messages/en/pack.ts'
import { m } from '#src/messages/messages.ts'
import { PackFile, type Selection } from '#src/pages/trust/pack-file.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes, day } from '#src/values/format.ts'

type Pack = Reply<(typeof groups)['archivist']['packs']>['data'][number]

const pollMs = 3000
const words = boot.locale === 'ar' ? arabic : english
const tones = { preparing: 'race', ready: 'ok', failed: 'bad' } as const

/** The evidence packs of the last day: one that is being made, or was not downloaded, is found again. */
export function Packs() {
  const { open, sheet } = useSheet()
  const query = useQuery({
    queryKey: ['packs'],
    queryFn: () => api.archivist.packs(),
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === 'preparing') === true ? pollMs : false),
  })
  return (
    <Loaded query={query}>
      {({ data }) =>
        data.length === 0 ? null : (
          <section className="panel acard" aria-label={words.packs}>
            <h2 className="t14 bb">{words.packs}</h2>
            <ul className="mini-l destinations">
              {data.map((one) => (
                <li key={one.id}>
                  <span className="grow">
                    <b className="b">{nameOf(one)}</b> <span className="i2">{sizeOf(one)}</span>
                    <p className="t12 i3">
                      <Time at={one.createdAt} kind="ago" />
                    </p>
                  </span>
                  <Badge tone={tones[one.state]}>{words.states[one.state]}</Badge>
                  <Button onClick={() => open(nameOf(one), () => <PackFile selection={selectionOf(one)} missing={[]} />)}>
                    {actionOf(one)}
                  </Button>
                </li>
              ))}
            </ul>
            {sheet}
          </section>
        )
      }
    </Loaded>
  )
}

/** The days of a pack, the last one with the moment before its end. */
function nameOf({ selection: { from, to, executions } }: Pack): string {
  if (from === null || to === null) return words.named(executions?.length ?? 0)
  return `${day(from)} – ${day(new Date(Date.parse(to) - 1).toISOString())}`
}

function sizeOf({ state, progress, bytes: size, failure }: Pack): string {
  if (state === 'failed') return failure ?? ''
  if (state === 'preparing') return m.files.preparing(progress.done, progress.total)
  return `${words.runs(progress.done)}, ${bytes(size ?? 0)}`
}

function actionOf({ state }: Pack): string {
  if (state === 'failed') return m.common.tryAgain
  return state === 'ready' ? m.files.download : words.watch
}

function selectionOf({ selection: { from, to, executions } }: Pack): Selection {
  return from === null || to === null ? { executions: (executions ?? []).join(',') } : { from, to }
}
