import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { t } from '#src/pages/marketplace/texts.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

const stars = [1, 2, 3, 4, 5] as const
const reasons = ['malicious', 'secret', 'personal-data', 'copyright', 'spam', 'broken', 'other'] as const

/** The own rating of an entry, and a report to the operators. */
export function Opinion({ id }: { readonly id: string }) {
  const k = t
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const [given, setGiven] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  const rate = (count: number) => {
    setProblem(undefined)
    api.marketplace
      .rate({ params: { id }, body: { stars: count } })
      .then(async () => {
        setGiven(count)
        toast(k.thanks)
        await queries.invalidateQueries({ queryKey: ['marketplace'] })
      })
      .catch(setProblem)
  }
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{k.opinion}</h2>
      <div className="row wrap" role="group" aria-label={k.rate}>
        {stars.map((count) => (
          <Button key={count} size="sm" look="quiet" aria-label={k.stars(count)} aria-pressed={given === count} onClick={() => rate(count)}>
            {count <= given ? '★' : '☆'}
          </Button>
        ))}
      </div>
      <p className="t12 i3">{k.rateHint}</p>
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row">
        <Button size="sm" icon="warn" onClick={() => open(k.report, (close) => <ReportForm id={id} done={close} />)}>
          {k.report}
        </Button>
      </div>
      {sheet}
    </section>
  )
}

function ReportForm({ id, done }: { readonly id: string; readonly done: () => void }) {
  const k = t
  return (
    <DataForm
      initial={{ reason: 'broken', detail: '' }}
      fields={[
        { name: 'reason', label: k.reason, kind: 'select', options: reasons.map((reason) => [reason, k.reasons[reason]]) },
        { name: 'detail', label: k.detail, kind: 'textarea', rows: 4 },
      ]}
      send={async ({ reason, detail }) => {
        await api.marketplace.report({ params: { id }, body: { reason: reasons.find((one) => one === reason) ?? 'other', detail } })
        toast(k.reported)
        done()
      }}
      label={k.report}
    />
  )
}
