import { useMutation } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import { readRecord } from '#src/run/read-record.ts'
import { ReplayReport } from '#src/run/replay-report.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { saveFile } from '#src/values/save-file.ts'

/** The seal of an ended run: its receipt, checked on this device. */
export function Proof({ run }: { readonly run: RunDetail }) {
  const e = m.evidence
  const { open, sheet } = useSheet()
  const proof = useMutation({ mutationFn: () => prove(run) })
  const { data } = proof
  const proven = data?.facts.every(({ ok }) => ok !== false) === true
  const whole = run.erased === undefined ? e.proven : data?.remains === 'unchanged' ? e.provenRest : e.notWhole
  const title = data === undefined ? e.sealable : proven ? whole : e.notProven
  return (
    <section className={data === undefined || proven ? 'sealbar wrap' : 'sealbar wrap bad'} aria-label={e.seal}>
      <Icon name={data === undefined || proven ? 'seal' : 'warn'} />
      <div className="grow" role="status">
        <b className={data !== undefined && !proven ? 'c-bad' : 'c-seal'}>{title}</b>
        {data === undefined && <span className="i2 blk">{e.sealableText}</span>}
        {data?.facts.map(({ text, ok }) => (
          <span key={text} className={ok === false ? 'c-bad blk' : 'i2 blk'}>
            {ok === undefined ? '–' : ok ? '✓' : '✗'} {text}
          </span>
        ))}
      </div>
      <div className="row wrap">
        {hasReceipts() && (
          <Button size="sm" look="quiet" onClick={() => open(e.replay, () => <ReplayReport run={run.id} />)}>
            {e.replay}
          </Button>
        )}
        {data?.envelope !== undefined && (
          <Button
            size="sm"
            icon="download"
            onClick={() => saveFile(`${run.id}.receipt.json`, JSON.stringify(data.envelope), 'application/json')}
          >
            {e.receipt}
          </Button>
        )}
        <Button size="sm" look={data === undefined ? 'primary' : 'plain'} busy={proof.isPending} onClick={() => proof.mutate()}>
          {e.prove}
        </Button>
      </div>
      {proof.isError && <ProblemPanel error={proof.error} />}
      {sheet}
    </section>
  )
}

const hasReceipts = () => boot.flags.includes('isGuardianReceiptEnabled')

type Remains = 'unchanged' | 'changed' | 'unsealed'

interface Fact {
  readonly text: string
  /** Undefined for what only the server can say. */
  readonly ok: boolean | undefined
}

/** Walks the run again on this device, and checks its receipt where there is one. */
async function prove(run: RunDetail): Promise<{ readonly facts: readonly Fact[]; readonly envelope?: object; readonly remains?: Remains }> {
  const [walked, receipt] = await Promise.all([walkedHere(run), hasReceipts() ? checkedReceipt(run) : undefined])
  const facts = [walked, ...(receipt?.facts ?? [])]
  return { ...receipt, facts }
}

async function walkedHere(run: RunDetail): Promise<Fact> {
  const v = m.runView
  const [record, { walkRecord }] = await Promise.all([readRecord(run.id), import('#src/rehearse/run-record.ts')])
  const walked = await walkRecord(record, boot.version)
  if (walked.kind === 'secret') return { text: v.walkedSecret, ok: undefined }
  // What an erasure replaced is no forgery. Whether the record is what the erasure left, the receipt says.
  if (walked.kind === 'different' && record.erased !== undefined) return { text: m.evidence.erasedWalk, ok: undefined }
  if (walked.kind === 'different') return { text: v.walkedOther(walked.detail), ok: false }
  return { text: v.walked(walked.entries, Math.round(walked.ms)), ok: true }
}

/** Fetches the receipt and the public keys, and checks on this device what the receipt states about the values that this page shows. */
async function checkedReceipt(run: RunDetail) {
  const e = m.evidence
  const [receipt, { checkReceipt, digestOf }] = await Promise.all([
    api.archivist.receipt({ params: { id: run.id } }),
    import('#src/verify/receipt.ts'),
  ])
  // After the receipt: the first receipt of an installation makes its key.
  const { keys } = await api.audit.keys()
  const { statement, signed, logged } = await checkReceipt(receipt.envelope, keys)
  const { input, output, journal, replay, erasure } = statement.predicate
  return {
    envelope: receipt.envelope,
    ...(erasure === undefined ? {} : { remains: erasure.remains }),
    facts: [
      { text: e.factSigned, ok: signed },
      { text: logged === undefined ? e.factNoLog : e.factLogged, ok: logged !== false },
      ...(erasure === undefined ? [{ text: e.factReplay(journal.entries), ok: replay.verified }] : erasureFacts(erasure)),
      ...(run.input === undefined ? [] : [{ text: e.factInput, ok: digestOf(run.input) === input.digest }]),
      ...(run.output === undefined || run.outputRedacted === true || output === null
        ? []
        : [{ text: e.factOutput, ok: digestOf(run.output) === output.digest }]),
    ],
  }
}

/** What the server found of a run in which data of a person was erased. */
function erasureFacts({ remains }: { readonly remains: Remains }): readonly Fact[] {
  return [{ text: m.evidence.remains[remains], ok: remains === 'unsealed' ? undefined : remains === 'unchanged' }]
}
