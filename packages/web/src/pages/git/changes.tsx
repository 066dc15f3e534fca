import type { groups, Reply } from '@millrace/contract'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'

type Result = Reply<(typeof groups)['git']['pull']>

const tones: Partial<Record<Result['changes'][number]['outcome'], Tone>> = {
  conflict: 'bad',
  invalid: 'bad',
  unchanged: 'off',
  skipped: 'off',
  removed: 'off',
}

/** What a pull or push did to every file; a conflict is resolved by choosing a side. */
export function Changes({
  result,
  resolve,
}: {
  readonly result: Result
  readonly resolve: (path: string, side: 'repository' | 'workflow') => void
}) {
  const k = m.git
  if (result.changes.length === 0) return <p className="i2">{k.nothing}</p>
  return (
    <ul className="deliveries">
      {result.changes.map(({ path, workflowId, outcome, detail }) => (
        <li key={path} className="row wrap">
          <Badge tone={tones[outcome] ?? 'ok'}>{k.outcomes[outcome]}</Badge>
          <span className="grow t13">
            {workflowId === null ? <bdi className="mono">{path}</bdi> : <Link to={`/workflows/${workflowId}`}>{path}</Link>}
            {detail !== null && <span className="blk i2">{detail}</span>}
          </span>
          {outcome === 'conflict' && (
            <>
              <Button size="sm" onClick={() => resolve(path, 'repository')}>
                {k.takeTheirs}
              </Button>
              <Button size="sm" onClick={() => resolve(path, 'workflow')}>
                {k.takeOurs}
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
