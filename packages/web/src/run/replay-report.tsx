import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { exactTime } from '#src/values/format.ts'
import { JsonView } from '#src/values/json-view.tsx'

/** The server walks the run again from its journal, and says task by task whether the record follows from it. */
export function ReplayReport({ run }: { readonly run: string }) {
  const e = m.evidence
  const query = useQuery({ queryKey: ['replay', run], queryFn: () => api.archivist.replay({ params: { id: run } }) })
  return (
    <Loaded query={query}>
      {({ verified, entries, difference, tasks, truncated, erased }) => (
        <div className="form">
          {erased !== undefined && (
            <p className={erased.remains === 'changed' ? 'c-bad' : 'i2'}>
              {e.erasedOn(exactTime(erased.at))} {e.remains[erased.remains]}
            </p>
          )}
          {(verified || erased === undefined) && (
            <p className={verified ? 'c-seal' : 'c-bad'}>{verified ? e.replaySame(entries) : e.replayDiffers}</p>
          )}
          {!verified && erased !== undefined && <p>{e.erasedWalk}</p>}
          {difference !== null && erased === undefined && (
            <>
              <p>{difference.detail}</p>
              <p className="t13 i2">{e.recorded}</p>
              <JsonView value={difference.recorded ?? null} />
              <p className="t13 i2">{e.walked}</p>
              <JsonView value={difference.walked ?? null} />
            </>
          )}
          <ul className="mini-l">
            {tasks.map(({ position, name, result }) => (
              <li key={position}>
                <span className="trunc" title={position}>
                  <bdi className="mono">{name}</bdi>
                </span>
                {(result !== 'different' || erased === undefined) && (
                  <Badge tone={result === 'same' ? 'seal' : result === 'different' ? 'bad' : 'off'}>{e.results[result]}</Badge>
                )}
                {result === 'different' && erased !== undefined && <Badge tone="off">{e.results.not_compared}</Badge>}
              </li>
            ))}
          </ul>
          {truncated && <p className="t13 i2">{e.moreTasks}</p>}
        </div>
      )}
    </Loaded>
  )
}
