import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { JsonView } from '#src/values/json-view.tsx'

/** The server walks the run again from its journal, and says task by task whether the record follows from it. */
export function ReplayReport({ run }: { readonly run: string }) {
  const e = m.evidence
  const query = useQuery({ queryKey: ['replay', run], queryFn: () => api.archivist.replay({ params: { id: run } }) })
  return (
    <Loaded query={query}>
      {({ verified, entries, difference, tasks, truncated }) => (
        <div className="form">
          <p className={verified ? 'c-seal' : 'c-bad'}>{verified ? e.replaySame(entries) : e.replayDiffers}</p>
          {difference !== null && (
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
                <Badge tone={result === 'same' ? 'seal' : result === 'different' ? 'bad' : 'off'}>{e.results[result]}</Badge>
              </li>
            ))}
          </ul>
          {truncated && <p className="t13 i2">{e.moreTasks}</p>}
        </div>
      )}
    </Loaded>
  )
}
