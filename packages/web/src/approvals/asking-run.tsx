import type { groups, Reply } from '@millrace/contract'
import { Fragment } from 'react'
import { m } from '#src/messages/messages.ts'
import { shortId } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'

type Listed = Reply<(typeof groups)['approvals']['list']>['data'][number]

const labelsMax = 3

/** The run that asks: its workflow, and what distinguishes it from other runs of that workflow. More follows behind it in the same line. */
export function AskingRun({ approval: { workflowName, executionId, executionCreatedAt, labels } }: { readonly approval: Listed }) {
  return (
    <>
      {typeof workflowName === 'string' && (
        <>
          <bdi>{workflowName}</bdi> ·{' '}
        </>
      )}
      {Object.entries(labels ?? {})
        .slice(0, labelsMax)
        .map(([name, value]) => (
          <Fragment key={name}>
            <bdi>{name}</bdi> <bdi className="b">{value}</bdi> ·{' '}
          </Fragment>
        ))}
      {labels === undefined && executionCreatedAt !== undefined && (
        <>
          {m.approvals.runOf} <Time at={executionCreatedAt} /> <bdi className="mono t12">{shortId(executionId)}</bdi> ·{' '}
        </>
      )}
    </>
  )
}
