import type { groups, Reply } from '@millrace/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { day, duration } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

type DayReply = Reply<(typeof groups)['audit']['verifyDay']>['day']

const partsMax = 1000

/** One day of the log: verified on this device from its export, with the root, the signed checkpoint, and the file for others. */
export function DayProof({ date, onClose }: { readonly date: string; readonly onClose: () => void }) {
  const d = m.auditDays
  const [proof, setProof] = useState(false)
  const check = useMutation({ mutationFn: () => verifyHere(date) })
  const { data } = check
  const findings = data?.report.findings ?? []
  const state = data === undefined ? 'verdict' : findings.length === 0 ? 'verdict ok' : 'verdict bad'
  return (
    <section className={`${state} wrap`} aria-label={d.day(day(date))}>
      <Icon name={findings.length === 0 ? 'seal' : 'warn'} />
      <div className="grow" role="status">
        <p className="b">{data === undefined ? d.day(day(date)) : findings.length === 0 ? d.intact(day(date)) : d.differs(day(date))}</p>
        <p className="t13 i2">
          {data === undefined ? d.text : d.checked(data.report.leaves, data.report.checkpoints, duration(data.tookMs))}
        </p>
        {data?.seenBy !== undefined && data.seenBy.names.length > 0 && (
          <p className="t13 i2">{d.seen(data.seenBy.leaves, data.seenBy.names.join(', '))}</p>
        )}
        {findings.slice(0, 20).map(({ kind, index, detail }) => (
          <p key={`${kind}.${index}.${detail}`} className="t13">
            {detail}
          </p>
        ))}
      </div>
      <div className="row wrap">
        {data !== undefined && (
          <>
            <Button aria-expanded={proof} onClick={() => setProof(!proof)}>
              {d.proof}
            </Button>
            <Button icon="download" onClick={() => saveFile(`audit-${date}.jsonl`, `${data.lines.join('\n')}\n`, 'application/x-ndjson')}>
              {d.export}
            </Button>
          </>
        )}
        <Button look={data === undefined ? 'primary' : 'plain'} busy={check.isPending} onClick={() => check.mutate()}>
          {d.verifyHere}
        </Button>
        <Button look="quiet" icon="x" onClick={onClose}>
          {d.allDays}
        </Button>
      </div>
      {proof && data !== undefined && (
        <pre className="secret whole" dir="ltr" tabIndex={0}>
          {data.checkpoint}
        </pre>
      )}
      {check.isError && <ProblemPanel error={check.error} />}
    </section>
  )
}

/** Exports the day and computes it again on this device. */
async function verifyHere(date: string) {
  const [lines, { keys }, { checkDay }] = await Promise.all([exportOf(date), api.audit.keys(), import('#src/verify/day.ts')])
  const begun = performance.now()
  const report = await checkDay(lines, keys)
  const { checkpoint, day: verified } = await api.audit.verifyDay({ params: { date } })
  const ofAnchor = verified.findings.filter(({ kind }) => kind === 'anchor_invalid')
  return {
    report: { ...report, findings: [...report.findings, ...ofAnchor] },
    lines,
    checkpoint: checkpoint ?? '',
    seenBy: verified.anchor === null ? undefined : seenBy(verified.anchor),
    tookMs: performance.now() - begun,
  }
}

/** Witnesses and authorities by their names. */
function seenBy({ leaves, witnesses, stamped }: NonNullable<DayReply['anchor']>) {
  return { leaves, names: [...witnesses.map(({ name }) => name), ...(stamped ? [m.auditDays.stamp] : [])] }
}

async function exportOf(date: string): Promise<readonly string[]> {
  const lines: string[] = []
  let cursor: string | undefined
  for (let part = 0; part < partsMax; part += 1) {
    const reply = await api.audit.export({ params: { date }, query: cursor === undefined ? {} : { cursor } })
    lines.push(...reply.lines)
    if (reply.nextCursor === null) return lines
    cursor = reply.nextCursor
  }
  return lines
}
