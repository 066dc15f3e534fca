import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { ChangedFlow } from '#src/editor/changed-flow.tsx'
import { Difference } from '#src/editor/difference.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'

export type Workflow = Reply<(typeof groups)['workflows']['get']>
export type Version = Reply<(typeof groups)['workflowDrafts']['versions']>['data'][number]

interface ComparisonProps {
  readonly workflow: Workflow
  readonly version: Version
  readonly versions: readonly Version[]
}

const draft = 'draft'

/** What the later of two versions changes, in the drawing and in the text; the draft is later than every version. */
export function VersionComparison({ workflow, version: { number: chosen }, versions }: ComparisonProps) {
  const v = m.versions
  const others = versions.map(({ number }) => number).filter((number) => number !== chosen)
  const before = others.find((number) => number < chosen)
  // A version that is the draft already is compared with the one before it.
  const [other, setOther] = useState(
    workflow.hasUnpublishedChanges || before === undefined || chosen !== workflow.version ? draft : String(before),
  )
  const isLater = other === draft || Number(other) > chosen
  const [earlier, later] = isLater ? [String(chosen), other] : [other, String(chosen)]
  const first = useText(workflow.id, earlier)
  const second = useText(workflow.id, later)
  return (
    <>
      <label className="row">
        <span className="b">{v.compareTitle(chosen, '')}</span>
        <select className="input" aria-label={v.with} value={other} onChange={({ target }) => setOther(target.value)}>
          <option value={draft}>{v.draft}</option>
          {others.map((number) => (
            <option key={number} value={number}>
              {v.nth(number)}
            </option>
          ))}
        </select>
      </label>
      <Loaded query={first}>
        {(from) => (
          <Loaded query={second}>
            {(to) =>
              from.source === to.source ? (
                <p className="i2">{v.same}</p>
              ) : (
                <>
                  <p className="i2">{v.changes(nameOf(earlier), nameOf(later))}</p>
                  <div className="changes-both">
                    <ChangedFlow before={from.definition} after={to.definition} />
                    <Difference key={other} before={from.source} after={to.source} syntax={to.syntax} />
                  </div>
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

const nameOf = (which: string) => (which === draft ? m.versions.draft : m.versions.nth(Number(which)))

function useText(id: string, which: string) {
  return useQuery({
    queryKey: which === draft ? ['workflow', id] : ['workflow', id, 'version', Number(which)],
    queryFn: () => api.workflows.get({ params: { id }, ...(which === draft ? {} : { query: { version: Number(which) } }) }),
    staleTime: which === draft ? 0 : Number.POSITIVE_INFINITY,
  })
}
