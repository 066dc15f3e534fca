import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Parts } from '#src/pages/trust/erasure-parts.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { saveFile } from '#src/values/save-file.ts'

export const pollMs = 3000
export const tones = { running: 'race', waiting: 'wait', done: 'ok' } as const

/** What was erased, and what stays for which reason. */
export function Receipt({ id }: { readonly id: string }) {
  const e = m.erasures
  const query = useQuery({
    queryKey: ['erasures', id],
    queryFn: () => api.erasures.get({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollMs),
  })
  return (
    <Loaded query={query}>
      {(erasure) => (
        <>
          <p className="row">
            <Badge tone={tones[erasure.state]}>{e.states[erasure.state]}</Badge>
            <span className="t13 i2">
              <Time at={erasure.endedAt ?? erasure.requestedAt} />
            </span>
          </p>
          {erasure.state === 'waiting' && <p className="i2">{e.waiting}</p>}
          {erasure.state === 'done' && erasure.erased.length === 0 && <p className="i2">{e.nothing}</p>}
          {erasure.erased.length > 0 && <h3 className="t14 bb">{e.erased}</h3>}
          <Parts parts={erasure.erased} />
          {erasure.kept.length > 0 && <h3 className="t14 bb">{e.kept}</h3>}
          <Parts parts={erasure.kept} />
          <div className="row form-foot">
            <Button
              icon="download"
              onClick={() => saveFile(`erasure-${erasure.id}.json`, `${JSON.stringify(erasure, undefined, 2)}\n`, 'application/json')}
            >
              {e.save}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  )
}
